package channel

import "strings"

// Parse parses a document with the parser of a channel. It returns an empty
// result for a channel without a parser.
func Parse(name Name, in Input) Result {
	if strings.HasSuffix(in.URL, "/robots.txt") { // whatever was looked for in it, it contains the other channels too
		return ParseRobots(in)
	}
	switch name {
	case RSL:
		return parseRSLOrFeed(in)
	case Robots, AIPrefRobots:
		return ParseRobots(in)
	case AIPrefHeader, ContentSignal:
		in.Fields = ReadFields(in.Body)
		return ParseHeaders(in)
	case TDMRep:
		return ParseTDMRep(in)
	case TDMPolicy:
		return ParseODRL(in)
	case AITxt:
		return ParseAITxt(in)
	case TrustTxt:
		return ParseTrustTxt(in)
	case HTMLMeta, SchemaOrg:
		return ParseHTML(in)
	case CAWG:
		return ParseCAWG(in)
	case PLUS:
		return ParsePLUS(in)
	case CoMP:
		return ParseCoMP(in)
	case TelemetryManifest:
		return ParseTelemetry(in)
	case PublisherFile:
		return ParsePublisherFile(in)
	}
	r := Result{State: Invalid}
	r.Channel = name
	r.URL = in.URL
	r.CheckedAt = in.CheckedAt
	r.Warnings = []Warning{{Code: "channel_unknown"}}
	return r
}

// parseRSLOrFeed reads an RSL file, or the RSL inside the items of a feed.
func parseRSLOrFeed(in Input) Result {
	r := ParseRSL(in)
	if r.State == Valid {
		return r
	}
	if feed := ParseFeed(in); len(feed.Statements) > 0 {
		return feed
	}
	return r
}
