package prose

import (
	"strconv"
	"strings"

	"colophon/exports"
)

// UseName returns the name of a use.
func UseName(use string) string {
	switch exports.Use(use) {
	case exports.UseRAG:
		return "Retrieval (RAG)"
	case exports.UseTraining:
		return "Training"
	case exports.UseFineTuning:
		return "Fine-tuning"
	case exports.UseSearchIndexing:
		return "Search indexing"
	case exports.UseSummarization:
		return "Summarization"
	case exports.UseDatasets:
		return "Datasets"
	case exports.UseSyndication:
		return "Syndication"
	case exports.UseResearch:
		return "Research"
	}
	return Clean(use, 40)
}

// UseMeaning returns what a use is.
func UseMeaning(use string) string {
	switch exports.Use(use) {
	case exports.UseRAG:
		return "looking pages up to ground an answer"
	case exports.UseTraining:
		return "learning a model’s weights from the text"
	case exports.UseFineTuning:
		return "adapting a model that exists"
	case exports.UseSearchIndexing:
		return "listing pages in a search index"
	case exports.UseSummarization:
		return "writing shorter versions"
	case exports.UseDatasets:
		return "putting the text into a collection"
	case exports.UseSyndication:
		return "publishing the text elsewhere"
	case exports.UseResearch:
		return "text and data analysis for study"
	}
	return ""
}

// LetterWord returns the word for a letter of a rights vector.
func LetterWord(letter byte) string {
	switch letter &^ 0x20 {
	case 'L':
		return "Ask first"
	case 'D':
		return "Declined"
	case 'S':
		return "Signals allow"
	case 'W':
		return "Withdrawn"
	}
	return "Unknown"
}

// LetterAt returns the letter of use i in a rights vector, 'U' if it has none.
func LetterAt(vector string, i int) byte {
	if i < len(vector) {
		if c := vector[i] &^ 0x20; c == 'L' || c == 'D' || c == 'S' || c == 'W' {
			return vector[i]
		}
	}
	return 'U'
}

// PlainWord returns a vocabulary word as prose: "link_back" becomes "link
// back".
func PlainWord(word string) string { return Clean(strings.ReplaceAll(word, "_", " "), 60) }

// PlainWords returns vocabulary words as prose, separated by commas.
func PlainWords(words []string) string { return join(words, PlainWord) }

// UseNames returns the names of uses, separated by commas.
func UseNames(uses []string) string { return join(uses, UseName) }

func join(list []string, word func(string) string) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = word(x)
	}
	return strings.Join(words, ", ")
}

// ChannelName returns the name of a channel.
func ChannelName(channel string) string {
	switch channel {
	case "rsl":
		return "RSL file"
	case "robots":
		return "robots.txt"
	case "aipref_robots":
		return "Content-Usage in robots.txt"
	case "aipref_header":
		return "Content-Usage header"
	case "content_signal":
		return "Content-Signal"
	case "tdmrep":
		return "TDM reservation"
	case "tdm_policy":
		return "TDM policy"
	case "ai_txt":
		return "ai.txt"
	case "trust_txt":
		return "trust.txt"
	case "html_meta":
		return "HTML meta elements"
	case "schema_org":
		return "schema.org markup"
	case "cawg":
		return "CAWG assertion"
	case "plus_dmi":
		return "PLUS data mining value"
	case "comp":
		return "CoMP package"
	case "telemetry_manifest":
		return "Telemetry manifest"
	case "publisher_file":
		return "Publisher’s file"
	case "offer":
		return "Offer in this catalog"
	case "publisher_statement":
		return "Statement to this service"
	case "content_reservation":
		return "Statement about the content"
	}
	return PlainWord(channel)
}

// ScopePaths returns the paths of an offer as they follow the number of pages.
func ScopePaths(paths []string) string {
	var out []string
	for i, p := range paths {
		if i == 6 {
			out = append(out, "…")
			break
		}
		if p = Clean(p, 80); p != "" {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " below " + strings.Join(out, ", ")
}

// TerritoryWords returns where something holds: in some territories, but not in
// others.
func TerritoryWords(in, notIn []string) string {
	where := "everywhere"
	if len(in) > 0 {
		where = PlainWords(in)
	}
	if len(notIn) > 0 {
		where += ", but not in " + PlainWords(notIn)
	}
	return where
}

// PriceWords returns a payment in words.
func PriceWords(p exports.Payment) string {
	model := PlainWord(p.Model)
	switch p.Model {
	case "use":
		model = "for each use"
	case "crawl":
		model = "for each crawl"
	case "training":
		model = "for each training run"
	case "free":
		model = "free of charge"
	case "attribution":
		model = "attribution instead of money"
	}
	if p.Amount == "" {
		return model
	}
	words := Clean(p.Amount, 20) + " " + Clean(p.Currency, 3)
	if p.Unit != "" {
		words += " per " + PlainWord(p.Unit)
	}
	return words + ", " + model + " (indicative)"
}

// ObligationWords returns the obligations that come with an offer.
func ObligationWords(o exports.Obligations) string {
	var out []string
	if o.Attribution != "" {
		out = append(out, "attribution by "+PlainWord(o.Attribution))
	}
	if o.DisplayLimitChars > 0 {
		out = append(out, "at most "+Count(o.DisplayLimitChars)+" characters shown")
	}
	if o.ReportingProfile != "" || o.ReportingEndpoint != "" {
		out = append(out, "reports of use")
	}
	if o.DeleteOnRevocationHours > 0 {
		out = append(out, "deletion within "+Count(o.DeleteOnRevocationHours)+" hours of revocation")
	}
	return strings.Join(out, "; ")
}

// RetentionWords returns how long a copy may be kept.
func RetentionWords(retention string) string {
	switch retention {
	case exports.RetentionNone:
		return "none beyond the use at hand"
	case exports.RetentionWhileLicensed:
		return "while the right lasts"
	}
	if days, ok := exports.RetentionDays(retention); ok {
		return "at most " + Counted(days, "day", "days")
	}
	return "not stated"
}

// ConflictWords returns what two channels say about one use.
func ConflictWords(c exports.Conflict) string {
	var out []string
	for i, channel := range c.Between {
		value := "?"
		if i < len(c.Values) {
			value = PlainWord(c.Values[i])
		}
		out = append(out, ChannelName(channel)+" says “"+value+"”")
	}
	return strings.Join(out, ", ") + "; taken as “" + PlainWord(c.Taken) + "”."
}

// Count returns n with separators of thousands: "18,240".
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Counted returns n with its noun: "1 page" or "3 pages".
func Counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// EventWord returns what a leaf of the ledger says was done, and why if that is
// known.
func EventWord(op, reason string) string {
	if reason != "" {
		return EventWord(op, "") + ": " + PlainWord(reason)
	}
	switch op {
	case "registered":
		return "Registered"
	case "updated":
		return "Updated"
	case "withdrawn":
		return "Withdrawn"
	case "key_added":
		return "Key added"
	case "key_revoked":
		return "Key revoked"
	case "policy_changed":
		return "Policy changed"
	case "index_published":
		return "Index published"
	}
	return PlainWord(op)
}

// InquiryWords returns whether asking is worth it.
func InquiryWords(inquiry string) string {
	switch inquiry {
	case "welcome":
		return "Ask about this"
	case "conditional":
		return "Ask, conditions apply"
	case "not_offered":
		return "Not offered"
	}
	return "Nothing stated"
}

// AskWords returns whether asking is worth it, by what the publisher states and
// the verdict on the use.
func AskWords(p exports.Preference, letter byte) string {
	if p.Inquiry == "unstated" || letter&^0x20 == 'D' {
		return LetterWord(letter)
	}
	return InquiryWords(p.Inquiry)
}

// ReadinessWords explains a level of readiness.
func ReadinessWords(level string) string {
	switch level {
	case "listed":
		return "Listed: the inventory is registered and can be discovered."
	case "declared":
		return "Declared: listed, the website is associated, and terms can be found by machines."
	case "attested":
		return "Attested: declared, with signed provenance and receipts."
	case "enforced":
		return "Enforced: attested, with access control at the publisher’s edge."
	}
	return "None: the inventory cannot be discovered yet."
}

// Disagrees reports whether a letter of a rights vector says that channels
// disagree.
func Disagrees(letter byte) bool { return letter >= 'a' && letter <= 'z' }

// LetterSign returns the letter that stands for a letter of a rights vector in
// pictures: the first one of its word.
func LetterSign(letter byte) string { return LetterWord(letter)[:1] }
