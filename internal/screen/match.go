package screen

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
)

// Row is one row of a data set.
type Row struct {
	Source string // file it is in
	Number int64  // in its file, from 1
	URL    string
	Text   string
	Fault  string // why it could not be read, "" it was
}

// Result is what is known about a row.
type Result struct {
	Source     string
	Number     int64
	URL        string
	MatchedBy  MatchedBy
	Entries    []string // ids of all candidates
	Sites      []string // of their publishers, once each
	Publishers []string // their names, untrusted text
	Similarity float64  // estimate, with an error of iscc.SimilarityError; of near duplicates only
	Uses       []Verdict
	Fault      string

	Reservations []string // ids of those for the same content
	Similar      []string // ids of those for similar content, which decide nothing
	Unusable     bool     // the row has neither a web address nor a text

	origins *origins
}

// Verdict is the verdict on one use.
type Verdict struct {
	Use       string
	Verdict   string
	Reason    string
	DependsOn []string // agent, territory, user_type
	Ask       string   // what to name in an inquiry, "" where asking leads nowhere

	reserved []reserved // by what, when a Matcher counts content
}

// Matcher looks rows up. It keeps memory between rows, so each goroutine needs
// its own.
type Matcher struct {
	Release *Release
	Uses    []string // asked about, in the order of exports.Uses
	Site    string   // only this site's pages, "" for all sites
	Content bool     // count what the data set consists of

	decided map[decided][]reserved

	coder iscc.Coder
	host  []byte
	rows  []uint32
	canon []byte
	text  rowText
	none  []Verdict // shared by rows about which nothing is known
}

// rowText is what the text of the present row is found by.
type rowText struct {
	read   bool
	fits   bool     // it is text, and long enough to be found
	digest [32]byte // portable fingerprint; if it fits

	coded      bool
	code       iscc.Code // once it was asked for
	characters int
}

// Match looks a row up and fills out. It returns errors of the release; faults
// of the row are in the result.
func (m *Matcher) Match(ctx context.Context, row *Row, out *Result) error {
	m.text = rowText{}
	if err := m.matchEntries(ctx, row, out); err != nil {
		return err
	}
	m.reserve(row, out)
	return nil
}

// matchEntries looks a row up among the entries and their sites.
func (m *Matcher) matchEntries(ctx context.Context, row *Row, out *Result) error {
	*out = Result{Source: row.Source, Number: row.Number, URL: row.URL, MatchedBy: ByNothing, Fault: row.Fault, Unusable: row.Text == "" && !isWebAddress(row.URL)}
	if row.Fault != "" {
		out.MatchedBy = Unreadable
		m.unknown(out)
		return nil
	}
	if m.Release.private != nil {
		return m.matchPrivately(ctx, row, out)
	}
	canonical, ours := m.canonical(row.URL)
	if ours {
		if rows := m.own(m.Release.urls.find(m.rows[:0], keyOf(canonical))); len(rows) > 0 {
			return m.found(ctx, out, ByURL, rows)
		}
	}
	code, digest, coded := m.fingerprint(row.Text, out)
	if coded {
		if rows := m.own(m.Release.texts.find(m.rows[:0], digest)); len(rows) > 0 {
			return m.found(ctx, out, ByFingerprint, rows)
		}
	}
	if ours {
		if rows := m.own(m.samePage(canonical)); len(rows) > 0 {
			return m.found(ctx, out, BySamePage, rows)
		}
	}
	if coded {
		if rows := m.near(&code, out); len(rows) > 0 {
			return m.found(ctx, out, ByNear, rows)
		}
	}
	if ours {
		return m.website(ctx, out, canonical)
	}
	m.unknown(out)
	return nil
}

// isWebAddress reports whether a text may be the address of a page.
func isWebAddress(text string) bool {
	scheme, rest, found := strings.Cut(strings.TrimSpace(text), "://")
	return found && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// canonical returns the canonical form of a URL; ours is false if nothing is
// known about its host, or it has no such form.
func (m *Matcher) canonical(url string) (canonical string, ours bool) {
	if url == "" {
		return "", false
	}
	host, plain := hostOf(m.host[:0], url)
	m.host = host[:0]
	if plain && !m.Release.known[string(host)] {
		return "", false
	}
	canonical, err := urlkey.Address(url)
	return canonical, err == nil
}

// samePage finds the pages that are registered under another address of the
// same page. Pages across "www." count if their site showed control of the host
// asked about, or no site did.
func (m *Matcher) samePage(canonical string) []uint32 {
	host := urlkey.HostOf(canonical)
	sites := m.Release.hosts[host]
	rows := m.rows[:0]
	for _, other := range urlkey.SamePage(canonical) {
		first := len(rows)
		rows = m.Release.urls.find(rows, keyOf(other))
		if urlkey.HostOf(other) != host && len(sites) > 0 {
			foreign := func(row uint32) bool { return !slices.Contains(sites, m.Release.entries[row].site) }
			rows = append(rows[:first], slices.DeleteFunc(rows[first:], foreign)...)
		}
	}
	return rows
}

// own returns the rows that count: those of the requested site.
func (m *Matcher) own(rows []uint32) []uint32 {
	m.rows = rows[:0]
	if m.Site == "" {
		return rows
	}
	return slices.DeleteFunc(rows, func(row uint32) bool { return m.Release.sites[m.Release.entries[row].site].id != m.Site })
}

// fingerprint returns the code and the digest of a text; false for one that is
// too short to have any.
func (m *Matcher) fingerprint(text string, out *Result) (code iscc.Code, digest key, ok bool) {
	if !m.readText(text, out) {
		return code, digest, false
	}
	digest = key(m.text.digest[:])
	if len(m.Release.near.codes) > 0 && len(m.Release.texts.find(m.rows[:0], digest)) == 0 {
		code, _ = m.codeOfText()
	}
	return code, digest, true
}

// readText sets m.text to that of the present row, once; it returns false for a
// text that is too short to have a fingerprint, or is not text.
func (m *Matcher) readText(text string, out *Result) bool {
	if m.text.read || text == "" {
		return m.text.fits
	}
	m.text.read = true
	canonical, err := canonicaltext.AppendCanonicalText(m.canon[:0], []byte(text))
	m.canon = canonical
	if err != nil {
		out.Fault = "the text is not UTF-8"
		return false
	}
	if m.text.fits = utf8.RuneCount(canonical) >= canonicaltext.MinTextRunes; m.text.fits {
		m.text.digest = sha256.Sum256(canonical)
	}
	return m.text.fits
}

// codeOfText returns the code of the text that readText has read, and how many
// characters count towards it.
func (m *Matcher) codeOfText() (iscc.Code, int) {
	if !m.text.coded {
		m.text.coded = true
		m.text.code, m.text.characters = m.coder.Sum(string(m.canon))
	}
	return m.text.code, m.text.characters
}

func (m *Matcher) near(code *iscc.Code, out *Result) []uint32 {
	var rows []uint32
	for _, n := range m.Release.near.find(code, NearMinima) {
		if m.Site != "" && m.Release.sites[m.Release.entries[n.row].site].id != m.Site {
			continue
		}
		if len(rows) == 0 {
			out.Similarity = math.Round(iscc.Similarity(n.equal)*1000) / 1000
		}
		rows = append(rows, n.row)
	}
	return rows
}

// maxCandidates bounds the candidates that one row names.
const maxCandidates = 50

// found sets what is known about registered pages. If there are several, each
// use has the verdict that allows least.
func (m *Matcher) found(ctx context.Context, out *Result, by MatchedBy, rows []uint32) error {
	out.MatchedBy = by
	for _, row := range rows[:min(len(rows), maxCandidates)] {
		e := &m.Release.entries[row]
		out.Entries = append(out.Entries, e.entryID())
		about := m.Release.resource(row)
		if err := m.judge(ctx, out, e.site, &about); err != nil {
			return err
		}
	}
	return nil
}

// website sets what the sites of a host say about an unregistered page.
func (m *Matcher) website(ctx context.Context, out *Result, canonical string) error {
	host := urlkey.HostOf(canonical)
	if len(m.Release.hosts[host]) == 0 {
		host = urlkey.OtherWWW(host)
	}
	for _, n := range m.Release.hosts[host] {
		if m.Site != "" && m.Release.sites[n].id != m.Site {
			continue
		}
		out.MatchedBy = ByHost
		about := rights.Resource{URL: urlkey.WithHost(canonical, host)}
		if err := m.judge(ctx, out, n, &about); err != nil {
			return err
		}
	}
	m.unknown(out)
	return nil
}

// judge adds what a site says about a resource.
func (m *Matcher) judge(ctx context.Context, out *Result, n uint32, about *rights.Resource) error {
	judge, err := m.Release.judgeOf(ctx, n)
	if err != nil {
		return err
	}
	out.addParty(&m.Release.sites[n])
	answer := judge.Evaluate(about)
	i := 0
	for k := range answer.Uses {
		u := &answer.Uses[k]
		if !slices.Contains(m.Uses, string(u.Use)) {
			continue
		}
		v := Verdict{Use: string(u.Use), Verdict: u.Verdict, Reason: u.Reason, DependsOn: u.DependsOn, Ask: answer.Ask(u, about.URL)}
		if m.Content && (v.Verdict == "declined" || v.Verdict == "license_required") {
			v.reserved = m.reservationsOf(judge, answer.Answer, about, u.Use)
		}
		out.combine(i, v)
		i++
	}
	return nil
}

// addParty names a publisher, once.
func (r *Result) addParty(s *site) {
	if !slices.Contains(r.Sites, s.id) {
		r.Sites, r.Publishers = append(r.Sites, s.id), append(r.Publishers, s.name)
	}
}

// combine adds a verdict on the use number i. Of several the strictest holds.
func (r *Result) combine(i int, v Verdict) {
	if i == len(r.Uses) {
		r.Uses = append(r.Uses, v)
	} else if before := r.Uses[i].Verdict; rights.CombineVerdicts(before, v.Verdict) != before {
		r.Uses[i] = v
	}
}

// unknown sets each use to unknown, unless something is known about it.
func (m *Matcher) unknown(out *Result) {
	if len(out.Uses) > 0 {
		return
	}
	if m.none == nil {
		for _, use := range m.Uses {
			m.none = append(m.none, Verdict{Use: use, Verdict: "unknown", Reason: "no_statement"})
		}
	}
	out.Uses = m.none
}

// fault names a row.
func (r *Result) fault() string {
	return fmt.Sprintf("%s, row %d: %s", r.Source, r.Number, strings.TrimSpace(r.Fault))
}
