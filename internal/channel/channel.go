package channel

import "colophon/internal/channel/statements"

// State says what became of a document.
type State string

// The states that a parser can return; callers add unreachable and absent.
const (
	Valid   State = "valid"
	Invalid State = "invalid"
)

// Field is one HTTP header field.
type Field struct{ Name, Value string }

// Input is one document as it was found. Times are unix seconds.
type Input struct {
	URL       string  // where the bytes were found; also the base of relative links
	Body      []byte  // the document
	Fields    []Field // the response header (ParseHeaders)
	CheckedAt int64   // when they were found, 0 = unknown
	MaxAge    int64   // freshness in seconds, 0 for what the standard says
}

// Warning is one tolerated deviation. Code is stable.
type Warning struct {
	Code    string `json:"code"`
	Locator string `json:"where"`
	Detail  string `json:"detail"`
}

// Result is what one document says.
type Result struct {
	statements.Document
	State    State
	Warnings []Warning

	full   bool   // more statements than are kept
	origin string // of the lines being read, see Statement.Origin
}
