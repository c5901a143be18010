package channel

import (
	"strings"

	"colophon/internal/channel/statements"
)

// parsers read the documents of each channel.
var parsers = map[statements.Name]func(Input) Result{
	statements.RSL: parseRSLOrFeed, statements.Robots: ParseRobots, statements.AIPrefRobots: ParseRobots, statements.AIPrefHeader: parseHeaderBlock, statements.ContentSignal: parseHeaderBlock,
	statements.TDMRep: ParseTDMRep, statements.TDMPolicy: ParseODRL, statements.AITxt: ParseAITxt, statements.TrustTxt: ParseTrustTxt, statements.HTMLMeta: ParseHTML, statements.SchemaOrg: ParseHTML,
	statements.CAWG: ParseCAWG, statements.PLUS: ParsePLUS, statements.CoMP: ParseCoMP, statements.TelemetryManifest: ParseTelemetry, statements.PublisherFile: ParsePublisherFile,
}

// Parse parses a document with the parser of a channel. It returns an empty
// result for a channel without a parser.
func Parse(name statements.Name, in Input) Result {
	if strings.HasSuffix(in.URL, "/robots.txt") { // whatever was looked for in it, it contains the other channels too
		return ParseRobots(in)
	}
	if parse := parsers[name]; parse != nil {
		return parse(in)
	}
	r := Result{State: Invalid}
	r.Channel = name
	r.URL = in.URL
	r.CheckedAt = in.CheckedAt
	r.Warnings = []Warning{{Code: "channel_unknown"}}
	return r
}

// parseHeaderBlock reads a saved header block.
func parseHeaderBlock(in Input) Result {
	in.Fields = ReadFields(in.Body)
	return ParseHeaders(in)
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
