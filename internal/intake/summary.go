package intake

import (
	"encoding/json"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/record"
)

// The outcomes of a page.
const (
	outcomeNew       = "new"
	outcomeChanged   = "changed"
	outcomeUnchanged = "unchanged"
	outcomeSkipped   = "skipped"
	outcomeFailed    = "failed"
)

// Summary says what an import did. Every page that the source lists is
// counted once: New + Changed + Unchanged + the counts of Skipped and Failed.
// A document of the source that failed itself is in Failed too.
type Summary struct {
	Run          string `json:"run"` // names the run
	New          int    `json:"new"`
	Changed      int    `json:"changed"`
	Unchanged    int    `json:"unchanged"`
	NotModified  int    `json:"not_modified"` // of Unchanged: the site answered 304
	Resumed      int    `json:"resumed"`      // of all: settled earlier in the same run
	Skipped      Tally  `json:"skipped"`      // not for us, by reason
	Failed       Tally  `json:"failed"`       // went wrong, by reason
	Observations int    `json:"observations"` // documents about rights that were read
	Requests     int    `json:"requests"`     // sent, retries included
	Bytes        int64  `json:"bytes"`        // of bodies read, after decompression
	Full         bool   `json:"full"`         // MaxPages was reached: the source lists more
	Review       Tally  `json:"review"`       // pages that wait for the operator before they are signed, by reason
	NoTemplate   bool   `json:"no_template"`  // the site has none, and has pages already: learning one would change their texts
	Missing      Tally  `json:"missing"`      // pages that were registered and are gone from the site, by reason
	Ignored      Tally  `json:"canonical"`    // canonical addresses that pages state and that do not hold, by reason
	Withdrawn    int    `json:"withdrawn"`    // of Missing: their grace period is over
	Restored     int    `json:"restored"`     // of Changed: they were withdrawn as gone, and are back
	Improved     int    `json:"improved"`     // of Changed: signed texts that an older extractor had made
}

// countExtraction counts a page that is about to be written. before is the
// extraction in the store, empty for a new page.
func (s *Summary) countExtraction(x *origin.Extraction, outcome string, before, next *origin.Page) {
	if x.Review == origin.ReviewWaiting {
		for _, r := range x.Reasons {
			s.Review.addProblem(r.Code, next.CanonicalURL, r.Detail)
		}
	}
	signed := before.Portable != "" && next.Portable != ""
	if signed && outcome == outcomeChanged && record.SupersedeReason(before.Extraction, next.Extraction) == exports.ReasonExtractionImproved {
		s.Improved++
	}
}

// Pages counts the pages that are registered after the import.
func (s *Summary) Pages() int { return s.New + s.Changed + s.Unchanged }

// Tally counts reasons, by code.
type Tally []Reason

// Reason is a stable code, how often it came up, and the first few cases.
type Reason struct {
	Code    string   `json:"-"`
	Count   int      `json:"count"`
	Samples []Sample `json:"cases"`
}

// Sample is one case: an address or a line, and what was wrong there.
type Sample struct {
	Where  string `json:"where"`
	Detail string `json:"detail"`
}

const maxSamples = 5

// MarshalJSON writes an object with the reasons by their codes.
func (t Tally) MarshalJSON() ([]byte, error) {
	byCode := make(map[string]Reason, len(t))
	for _, r := range t {
		byCode[r.Code] = r
	}
	return json.Marshal(byCode)
}

// Count returns the number of all cases.
func (t Tally) Count() (n int) {
	for _, r := range t {
		n += r.Count
	}
	return n
}

// Of returns the reason with that code, if it came up.
func (t Tally) Of(code string) Reason {
	for _, r := range t {
		if r.Code == code {
			return r
		}
	}
	return Reason{Code: code}
}

func (t *Tally) addProblem(code, where, detail string) {
	i, found := slices.BinarySearchFunc(*t, code, func(r Reason, code string) int { return strings.Compare(r.Code, code) })
	if !found {
		*t = slices.Insert(*t, i, Reason{Code: code})
	}
	r := &(*t)[i]
	r.Count++
	if len(r.Samples) < maxSamples {
		r.Samples = append(r.Samples, Sample{where, detail})
	}
}

// Event reports one settled page.
type Event struct {
	Settled int   // pages settled so far
	Total   int   // pages that the source lists, 0 while that is not known
	Bytes   int64 // fetched so far
}

func (s *Summary) countOutcome(outcome, where, code, detail string) {
	switch outcome {
	case outcomeNew:
		s.New++
	case outcomeChanged:
		s.Changed++
	case outcomeUnchanged:
		s.Unchanged++
	case outcomeSkipped:
		s.Skipped.addProblem(code, where, detail)
	default:
		s.Failed.addProblem(code, where, detail)
	}
}
