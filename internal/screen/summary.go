package screen

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	provrecord "colophon/internal/record"
	"colophon/internal/wire"
)

// Summary is what a screening knows for the public summary of training content
// that Article 53(1)(d) of Regulation (EU) 2024/1689 asks of providers of
// general-purpose AI models, in the template of the Commission (C(2025) 8311 of
// 5 December 2025). What a screening cannot know is named in Open.
type Summary struct {
	Template     string          `json:"template"`
	Statement    string          `json:"statement"`
	Registry     string          `json:"registry"`
	Release      string          `json:"release"`
	Root         string          `json:"root"`
	JudgedAt     string          `json:"judged_at"`
	Files        int             `json:"files"`
	Rows         int64           `json:"rows"`
	Bytes        int64           `json:"bytes"` // of texts
	NoAddress    int64           `json:"rows_without_address"`
	NoText       int64           `json:"rows_without_text"` // of those with an address
	Domains      int             `json:"domains"`           // in all
	Rule         string          `json:"rule"`              // which of them are listed
	Measure      string          `json:"measure"`           // bytes or rows
	Largest      []DomainShare   `json:"largest_domains"`
	Uses         []SummaryOfUse  `json:"uses"`
	Results      string          `json:"results"` // all, kept or none: which rows were written
	Written      int64           `json:"rows_written"`
	Reservations []ReservationOf `json:"reservations"`
	Open         []string        `json:"open"`
}

// SummaryOfUse counts the verdicts on a use.
type SummaryOfUse struct {
	Use      string           `json:"use"`
	Verdicts map[string]int64 `json:"verdicts"`
}

// ReservationOf is what the statements of a channel reserve for a use.
type ReservationOf struct {
	Use     string `json:"use"`
	Channel string `json:"channel"`
	Reservation
}

// template53 names the template that a Summary is for.
const template53 = "C(2025) 8311, 5 December 2025"

// The rules by which a summary lists domains: a tenth of them, or, for a small
// provider, a twentieth and 1,000 at most.
const (
	ruleTenth     = "top_10_percent"
	ruleTwentieth = "top_5_percent_or_1000"
)

// openMatters are the parts of the template about which a screening knows
// nothing.
var openMatters = []string{
	"The provider and its contact.",
	"The model, its versions, and the date on which it was placed on the market.",
	"The kinds of content, their languages and other characteristics.",
	"Modalities other than text, and the size of all training data: one data set was screened.",
	"The names, sources and licences of the data sets that were used.",
	"Data licensed from rightsholders, and data obtained from other third parties.",
	"The crawlers that were used, and when they collected the data.",
	"Data of users, synthetic data, and data from any other source.",
	"Whether the provider signed the Code of Practice for general-purpose AI.",
	"What was done to respect reservations when the data was collected: this names the reservations that the registry knew when it was screened.",
	"Reservations of rightsholders that are not in the registry: nothing is allowed because nothing is known about it.",
	"The removal of illegal content.",
}

// Summarize returns the summary of a screening that counted content. A small
// provider lists fewer domains. results says which rows were written: "all",
// "kept" for those with a requested verdict, or "none".
func (r *Report) Summarize(small bool, results string) *Summary {
	c := r.Content
	s := &Summary{
		Template: template53, Statement: r.Statement, Registry: r.Registry, Release: r.Release, Root: r.Root, JudgedAt: r.JudgedAt,
		Files: r.Files, Rows: r.Rows, Bytes: c.Bytes, NoAddress: c.Nowhere, NoText: c.NoText, Domains: len(c.Domains), Rule: ruleTenth, Measure: c.measure(),
		Results: results, Reservations: []ReservationOf{}, Open: openMatters,
	}
	keep := tenth
	if small {
		s.Rule, keep = ruleTwentieth, twentieth
	}
	s.Largest = c.largest(s.Measure, keep)
	if results != "none" {
		s.Written = c.Written
	}
	for _, use := range r.Uses {
		s.Uses = append(s.Uses, SummaryOfUse{use, r.Verdicts[use]})
		for _, channel := range slices.Sorted(maps.Keys(c.Reservations[use])) {
			of := ReservationOf{use, channel, *c.Reservations[use][channel]}
			if results == "none" {
				of.LeftOut = 0
			}
			s.Reservations = append(s.Reservations, of)
		}
	}
	return s
}

// tenth returns a tenth of n, rounded up.
func tenth(n int) int { return (n + 9) / 10 }

// twentieth returns a twentieth of n, rounded up, and 1,000 at most.
func twentieth(n int) int { return min((n+19)/20, 1000) }

// Sign returns the summary as canonical JSON with a signature, as for a
// receipt. input is the digest of what was screened, "" for standard input.
func (s *Summary) Sign(signer provrecord.Signer, input string) ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	body, err := wire.Parse(text, receiptLimits)
	if err != nil {
		return nil, fmt.Errorf("cannot write the summary: %w", err)
	}
	return sign(signer, summaryDocument, "summary", body, input)
}

// CSV spells the domains of the summary as a table.
func (s *Summary) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.Write([]string{"domain", "rows", "bytes", "share_percent", "rule", "measure", "release", "judged_at"})
	for i := range s.Largest {
		d := &s.Largest[i]
		if err == nil {
			err = w.Write([]string{cell(d.Domain), itoa(d.Rows), itoa(d.Bytes), strconv.FormatFloat(d.Share, 'f', 4, 64), s.Rule, s.Measure, s.Release, s.JudgedAt})
		}
	}
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return b.Bytes(), err
}

// HTML returns the summary as a page.
func (s *Summary) HTML() ([]byte, error) { return renderPage(s.page()) }

// domainWords says which domains are listed, and in what order.
func (s *Summary) domainWords() string {
	listed, measured := "twentieth of them is listed, and 1,000 at most", "the number of their rows, as no row has both a web address and a text"
	if s.Rule == ruleTenth {
		listed = "tenth of them is listed"
	}
	if s.Measure == "bytes" {
		measured = "the bytes of their texts"
		if s.NoText > 0 {
			measured += ": " + itoa(s.NoText) + " rows have a web address without a text and count as none"
		}
	}
	words := "The data set names " + strconv.Itoa(s.Domains) + " domains. The largest " + listed + ", by " + measured + "."
	if s.NoAddress > 0 {
		words += " " + itoa(s.NoAddress) + " rows have no web address."
	}
	return words
}
