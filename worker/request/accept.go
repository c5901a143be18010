package request

import (
	"strings"

	"colophon/worker/problem"
)

// CheckAccept returns an error if the caller accepts none of the media types
// that the endpoint can send. Errors are always sent as problem documents,
// whatever Accept says.
func (c *Call) CheckAccept() error {
	offered := []string{MediaOf(c.Endpoint.Media)}
	switch c.Endpoint.ID {
	case "get_citation":
		offered = append(offered, CitationMedia...)
	case "create_request":
		offered = append(offered, "text/html")
	}
	if Accepts(c.Header.Get("accept"), offered) == "" {
		return problem.New("not_acceptable", "This endpoint sends "+strings.Join(offered, ", ")+".")
	}
	return nil
}

// CitationMedia are the further forms of a citation document.
var CitationMedia = []string{"application/vnd.citationstyles.csl+json", "application/x-bibtex", "text/html", "text/plain"}

// MediaOf returns the media type of a Content-Type field without its parameters.
func MediaOf(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return media
}

// Accepts returns the first of the offered media types that has the highest
// quality in an Accept header, or "" when none is acceptable. An absent or
// empty header accepts the first.
func Accepts(header string, offered []string) string {
	if strings.TrimSpace(header) == "" {
		return offered[0]
	}
	best, bestQ := "", 0
	for _, media := range offered {
		if q := AcceptQuality(header, media); q > bestQ {
			best, bestQ = media, q
		}
	}
	return best
}

// AcceptQuality returns the weight, in thousandths, that the most specific
// matching range of an Accept header gives to a media type.
func AcceptQuality(header, media string) int {
	q, rank := 0, -1
	for _, part := range strings.Split(header, ",") {
		rng, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		rng = strings.ToLower(strings.TrimSpace(rng))
		r := -1
		switch {
		case rng == media:
			r = 2
		case strings.HasSuffix(rng, "/*") && strings.HasPrefix(media, rng[:len(rng)-1]):
			r = 1
		case rng == "*/*" || rng == "*":
			r = 0
		}
		if rng == "*/*" && r == 1 {
			r = 0
		}
		if r > rank {
			q, rank = parseWeight(params), r
		}
	}
	return q
}

func parseWeight(params string) int {
	for _, p := range strings.Split(params, ";") {
		name, val, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.TrimSpace(name) != "q" {
			continue
		}
		n, scale := 0, 1000
		for i := 0; i < len(val) && scale > 0; i++ {
			switch {
			case i == 0 && (val[i] == '0' || val[i] == '1'):
				n = int(val[i]-'0') * 1000
			case i == 1 && val[i] == '.':
			case i > 1 && val[i] >= '0' && val[i] <= '9':
				scale /= 10
				n += int(val[i]-'0') * scale
			default:
				return 0
			}
		}
		return min(n, 1000)
	}
	return 1000
}
