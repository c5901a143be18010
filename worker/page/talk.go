package page

import (
	"colophon/exports/inquiries"
	"colophon/internal/prose"
)

// StateWords returns a state in plain words.
func StateWords(status string) string {
	switch status {
	case "received":
		return "Received; the operator reviews it before the publisher gets it"
	case "delivered":
		return "With the publisher, not read yet"
	case "in_review":
		return "The publisher is looking at it"
	case "info_requested":
		return "The publisher asked a question"
	case "in_discussion":
		return "In discussion"
	case "terms_indicated":
		return "The publisher proposed terms (non-binding)"
	case "referred":
		return "Continues in the publisher's own process"
	case "declined":
		return "Declined by the publisher"
	case "withdrawn":
		return "Withdrawn"
	case "expired":
		return "Expired without an answer"
	case "transferred":
		return "Transferred to another publisher"
	}
	return "Closed"
}

// MessageRows returns messages as a page shows them to one side of the
// conversation; other is the other side's name.
func MessageRows(list []inquiries.Message, reader, other string) []Message {
	view := make([]Message, len(list))
	for i := range list {
		x := &list[i]
		view[i] = Message{
			Own: x.AuthorRole == reader, Who: authorWords(x, reader, other),
			At: x.At, Moment: prose.Moment(x.At), Kind: kindWords(x.Kind), Body: prose.CleanLines(x.Body), Terms: termsWords(x.Terms),
		}
	}
	return view
}

// authorWords returns who wrote a message, and whether an agent did.
func authorWords(x *inquiries.Message, reader, other string) string {
	who := other
	switch x.AuthorRole {
	case reader:
		who = "You"
	case "system":
		who = "Service"
	}
	if x.AuthorKind == "agent" {
		who += ", by an agent"
	}
	return who
}

func kindWords(kind string) string {
	switch kind {
	case "text":
		return ""
	case "indicative_terms":
		return "proposed terms (non-binding)"
	}
	return kind
}

// termsWords returns the figures that a publisher indicated, "" if none.
func termsWords(t *inquiries.IndicativeTerms) string {
	if t == nil {
		return ""
	}
	words := "Uses: " + prose.UseNames(t.Uses)
	if t.Cents >= 0 {
		words += "; " + prose.MoneyWords(t.Cents, t.Currency)
	}
	if t.Unit != "" {
		words += " per " + prose.Clean(t.Unit, 60)
	}
	if t.TermMonths > 0 {
		words += "; " + prose.Counted(t.TermMonths, "month", "months")
	}
	return words
}
