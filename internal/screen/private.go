package screen

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"colophon/exports"
	provrecord "colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/urlkey"
)

// privately looks keys up in files that each hold many keys, so that the server
// learns only the first bits of a key.
type privately struct {
	files Files
	bits  map[release.RangeKind]int
	sites map[[6]byte]int // place in the sites of the release, by mark

	mu    sync.Mutex
	known map[string][]release.RangeRow
}

// rangesKept bounds the files that are kept in memory.
const rangesKept = 4096

// OpenPrivate is Open for look-ups by the files for private look-ups. The only
// tables that are read are those of publishers and reservations, whole. Results
// have the verdicts of published rights vectors, without reasons.
func OpenPrivate(ctx context.Context, files Files, keys *provrecord.KeySet, at string) (*Release, error) {
	r, list, tables, err := openList(ctx, files, keys, at)
	if err != nil {
		return nil, err
	}
	r.private = &privately{
		files: files, sites: map[[6]byte]int{}, known: map[string][]release.RangeRow{},
		bits: map[release.RangeKind]int{
			release.RangeURL: int(list.Ranges.URLBits), release.RangeHost: int(list.Ranges.HostBits), release.RangeFingerprint: int(list.Ranges.FingerprintBits),
		},
	}
	l := &loading{Release: r, siteOf: map[string]uint32{}}
	if err := l.addParties(ctx, tables); err != nil {
		return nil, err
	}
	for id, n := range l.siteOf {
		r.private.sites[release.SiteMark(id)] = int(n)
	}
	return r, nil
}

// find returns what is known about a key.
func (p *privately) find(ctx context.Context, kind release.RangeKind, key [32]byte) ([]release.RangeRow, error) {
	bits := p.bits[kind]
	name := release.RangeName(kind, urlkey.Part(key[:], bits), bits)
	p.mu.Lock()
	defer p.mu.Unlock()
	rows, known := p.known[name]
	if !known {
		data, err := p.files.Read(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("cannot look up privately: %w", err)
		}
		if rows, err = release.ParseRange(data); err != nil {
			return nil, err
		}
		if len(p.known) >= rangesKept {
			clear(p.known)
		}
		p.known[name] = rows
	}
	var out []release.RangeRow
	for _, r := range rows {
		if r.Key == [16]byte(key[:]) {
			out = append(out, r)
		}
	}
	return out, nil
}

// matchPrivately looks a row up by its URL, its text and its host, in this
// order, and asks no more than necessary.
func (m *Matcher) matchPrivately(ctx context.Context, row *Row, out *Result) error {
	p := m.Release.private
	canonical, err := urlkey.Address(row.URL)
	ok := err == nil
	if ok {
		if done, err := m.foundPrivately(ctx, out, ByURL, release.RangeURL, urlkey.LookupKey(urlkey.LookupURL, canonical)); done || err != nil {
			return err
		}
	}
	if m.readText(row.Text, out) {
		key := urlkey.LookupKey(urlkey.LookupFingerprint, hex.EncodeToString(m.text.digest[:]))
		if done, err := m.foundPrivately(ctx, out, ByFingerprint, release.RangeFingerprint, key); done || err != nil {
			return err
		}
	}
	if ok && len(p.sites) > 0 {
		if done, err := m.websitePrivately(ctx, out, canonical); done || err != nil {
			return err
		}
	}
	m.unknown(out)
	return nil
}

// websitePrivately looks the host up, with and without "www.", and only if it
// is a site's the other addresses of the same page, so that nothing more is
// revealed about pages of unknown sites.
func (m *Matcher) websitePrivately(ctx context.Context, out *Result, canonical string) (done bool, err error) {
	p := m.Release.private
	host := urlkey.HostOf(canonical)
	own, err := p.find(ctx, release.RangeHost, urlkey.LookupKey(urlkey.LookupHost, host))
	if err != nil {
		return false, err
	}
	sites := own
	if other := urlkey.OtherWWW(host); len(own) == 0 && other != "" {
		if sites, err = p.find(ctx, release.RangeHost, urlkey.LookupKey(urlkey.LookupHost, other)); err != nil {
			return false, err
		}
	}
	if len(sites) == 0 {
		return false, nil
	}
	for _, other := range urlkey.SamePage(canonical) {
		key := urlkey.LookupKey(urlkey.LookupURL, other)
		rows, err := p.find(ctx, release.RangeURL, key)
		if err != nil {
			return false, err
		}
		if urlkey.HostOf(other) != host && len(own) > 0 {
			rows = slices.DeleteFunc(rows, func(r release.RangeRow) bool {
				return !slices.ContainsFunc(own, func(w release.RangeRow) bool { return w.Site == r.Site })
			})
		}
		m.tellPrivately(out, BySamePage, key, rows)
	}
	if len(out.Sites) > 0 {
		return true, nil
	}
	m.tellPrivately(out, ByHost, [32]byte{}, sites)
	return len(out.Sites) > 0, nil
}

// foundPrivately sets what is known about a key, if anything is.
func (m *Matcher) foundPrivately(ctx context.Context, out *Result, by MatchedBy, kind release.RangeKind, key [32]byte) (bool, error) {
	rows, err := m.Release.private.find(ctx, kind, key)
	m.tellPrivately(out, by, key, rows)
	return len(out.Sites) > 0, err
}

// tellPrivately sets what is known about a key.
func (m *Matcher) tellPrivately(out *Result, by MatchedBy, key [32]byte, rows []release.RangeRow) {
	for i := range rows {
		r := &rows[i]
		n, known := m.Release.private.sites[r.Site]
		if !known || m.Site != "" && m.Release.sites[n].id != m.Site {
			continue
		}
		out.MatchedBy = by
		out.addParty(&m.Release.sites[n])
		if by == ByURL || by == BySamePage {
			out.Entries = append(out.Entries, fmt.Sprintf("ent_%x%x", key[:6], r.Own))
		}
		m.addVector(out, string(r.Vector[:]))
	}
}

// addVector adds the verdicts of a rights vector.
func (m *Matcher) addVector(out *Result, vector string) {
	words := map[byte]string{'L': "license_required", 'D': "declined", 'S': "signal_allow", 'W': "withdrawn"}
	i := 0
	for k, use := range exports.Uses {
		if !slices.Contains(m.Uses, string(use)) {
			continue
		}
		v := Verdict{Use: string(use), Verdict: words[strings.ToUpper(vector)[k]], Reason: "rights_vector"}
		if v.Verdict == "" {
			v.Verdict = "unknown"
		}
		out.combine(i, v)
		i++
	}
}
