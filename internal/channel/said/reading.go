package said

// Reading tells how much of a document was understood.
type Reading string

// Complete is every statement that the standard lets it make; Partial leaves
// something out, Failed everything. What is not complete may hold a
// restriction that nobody saw.
const (
	Complete Reading = "complete"
	Partial  Reading = "partial"
	Failed   Reading = "failed"
)

// Gap is a part of a document that could not be read or understood. In its
// scope no permission of the same publisher's channels stands: see WhyUnread.
type Gap struct {
	Code    string // the warning that tells of it
	Locator string // where in the document
	Host    string // the host it is limited to, "" = that of the document
	Pattern string // RFC 9309 path pattern, "" = everything the document is about
	Channel Name   // whose vocabulary it may have used, "" = that of the document
}

// Reading sums up the gaps of a document.
func (d *Document) Reading() Reading {
	switch {
	case len(d.Gaps) == 0:
		return Complete
	case len(d.Statements) == 0:
		return Failed
	}
	return Partial
}
