package exports

import "colophon/internal/wire"

// SandboxExamples are the examples that the sandbox runs.
var SandboxExamples = []string{"catalog_search", "citation_resolve", "rights_check", "intent_prepare", "provenance_verify", "license_catalog", "rights_map"}

// SandboxTitle is the title of one page of the publisher sandbox-library.
const SandboxTitle = "How to read a tide table"

// SandboxText returns the text of the sandbox page with a title, which callers
// may verify.
func SandboxText(title string) string {
	return title + ". This text is invented. It stands here so that a fingerprint can be computed and checked without any real publisher."
}

// SandboxURL returns the address of the sandbox page with a title.
func SandboxURL(siteID, title string) string {
	slug := []byte(title)
	for i, c := range slug {
		switch {
		case c >= 'A' && c <= 'Z':
			slug[i] = c + 'a' - 'A'
		case c < 'a' || c > 'z':
			slug[i] = '-'
		}
	}
	return "https://" + siteID + ".example/pages/" + string(slug)
}

// SandboxInput is the body that asks for a run of an example. Input holds the
// query parameters of a GET example, or the body of a POST example; without it
// the example's own input is used.
type SandboxInput struct {
	Example string
	Input   wire.Value
}

func (s *SandboxInput) Members(m *wire.Members) {
	m.Enum("example", &s.Example, SandboxExamples...)
	m.Any("input", &s.Input)
}

// SandboxRun is the request that an example made and the answer that the real
// handlers gave on invented data.
type SandboxRun struct {
	RunID   string
	Example string
	Method  string
	Path    string
	Query   string
	Body    []byte
	Status  int64
	Headers []wire.Member
	Answer  []byte
}

// Members describes the JSON form, which is written and never read.
func (s *SandboxRun) Members(m *wire.Members) {
	DerivedLink(m, "example", s.Example)
	m.Flag("grants_rights", false)
	m.Nested("request", func(m *wire.Members) {
		body := parseJSON(s.Body)
		m.Any("body", &body)
		DerivedLink(m, "method", s.Method)
		DerivedLink(m, "path", s.Path)
		m.OptString("query", &s.Query)
	})
	m.Nested("response", func(m *wire.Members) {
		body, headers := parseJSON(s.Answer), wire.Object(s.Headers...)
		m.Any("body", &body)
		m.Any("headers", &headers)
		m.Int("status", &s.Status)
	})
	DerivedLink(m, "run_id", s.RunID)
	m.Flag("sandbox", true)
	m.Flag("transactional", false)
}

// parseJSON returns the value of a JSON text, or null if it is not valid JSON.
func parseJSON(b []byte) wire.Value {
	v, err := wire.Parse(b, wire.Limits{Bytes: 1 << 20, Depth: 32, Members: 1 << 12, Floats: true})
	if err != nil {
		return wire.Null()
	}
	return v
}
