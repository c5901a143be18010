package enrol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"colophon/generator/snapshot"
	"colophon/internal/extract"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/urlkey"
)

// Move is a site, or a part of one, that is at another address now.
type Move struct {
	From, To string // canonical addresses that end with "/"
}

// MoveReport is what a move changed.
type MoveReport struct {
	Report    `json:"file"`
	SiteURL   string   `json:"site_url"`      // home address afterwards
	Linked    []Link   `json:"linked"`        // entries that this call linked, by entry id
	Kept      []Kept   `json:"kept"`          // entries that this call gave their https address, by entry id
	Already   int64    `json:"linked_before"` // entries that were linked before
	Unmatched []string `json:"unmatched"`     // addresses of entries to which no registered page answers, by entry id
}

// Link is an entry with its successor.
type Link struct {
	EntryID      string `json:"entry_id"`
	URL          string `json:"url"`
	Successor    string `json:"successor"`
	SuccessorURL string `json:"successor_url"`
}

// Kept is an entry that has an https address now, with the http one it had.
type Kept struct {
	EntryID string `json:"entry_id"`
	URL     string `json:"url"`
	Before  string `json:"url_before"`
}

// MoveSite moves a site's entries to another address, all or none, at the instant at
// (RFC 3339). It looks for the publisher's file at its new home and for proofs of both
// hosts, and stores the home address, the state of the proofs, and for every registered
// page below m.From its successor below m.To. That is the page at the same path, or else
// the only one with the same text. A page without one stays as it is, unless only http
// became https: then its entry gets the new address and keeps its id, its text and its
// history.
//
// It returns ErrUnproven if control of one of the two hosts is not shown, and another
// error if nothing answers over https.
func MoveSite(ctx context.Context, store *originsql.Store, p *intake.Prover, siteID string, m Move, at string) (r MoveReport, err error) {
	site, err := store.Site(ctx, siteID)
	if err != nil {
		return r, err
	}
	seen, err := lookAt(ctx, store, p, siteID, intake.HostOf(m.apply(site.SiteURL)), m.hosts())
	if err != nil {
		return r, err
	}
	err = store.Atomically(ctx, func(store *originsql.Store) error {
		if r, err = takeMove(ctx, store, siteID, seen, m, at); err != nil {
			return err
		}
		return snapshot.RefreshEvidence(ctx, store, siteID)
	})
	return r, err
}

// takeMove stores a move.
func takeMove(ctx context.Context, store Store, siteID string, seen Seen, m Move, at string) (MoveReport, error) {
	r := MoveReport{Linked: []Link{}, Kept: []Kept{}, Unmatched: []string{}}
	site, err := store.Site(ctx, siteID)
	if err != nil {
		return r, err
	}
	if err := checkMove(ctx, store, site, seen, m); err != nil {
		return r, err
	}
	if home := m.apply(site.SiteURL); home != site.SiteURL {
		site.SiteURL, site.ChangedAt = home, at
		if err := store.PutSite(ctx, site); err != nil {
			return r, err
		}
	}
	if r.Report, err = Take(ctx, store, siteID, seen, at); err != nil {
		return r, err
	}
	r.SiteURL = site.SiteURL
	err = linkPages(ctx, store, siteID, m, at, &r)
	return r, err
}

// apply returns an address after the move.
func (m Move) apply(address string) string {
	if m.covers(address) {
		return m.To + strings.TrimPrefix(address, m.From)
	}
	return address
}

// hosts returns the two hosts of a move.
func (m Move) hosts() []string { return []string{intake.HostOf(m.From), intake.HostOf(m.To)} }

// covers reports whether an address moves. An address at the new place does
// not.
func (m Move) covers(address string) bool {
	return strings.HasPrefix(address, m.From) && (!strings.HasPrefix(address, m.To) || strings.HasPrefix(m.From, m.To))
}

// onlySecures reports whether nothing changes but http to https.
func (m Move) onlySecures() bool { return "https"+strings.TrimPrefix(m.From, "http") == m.To }

// ErrUnproven says that control of a host is not shown.
type ErrUnproven struct {
	Host string
	Why  []string
}

// Error returns a text with the host and what was looked for.
func (e *ErrUnproven) Error() string {
	return fmt.Sprintf("nothing shows that %s belongs to this publisher: %s", e.Host, strings.Join(e.Why, "; "))
}

// checkMove wants a proof of both hosts: seen now, or seen before and missed for less
// than LapseAfter, since an old host may redirect everything already. Where only http
// becomes https, nothing passes to another host: there the host must be the site's,
// and answer over https.
func checkMove(ctx context.Context, store Store, site origin.Site, seen Seen, m Move) error {
	siteID := site.SiteID
	if m.onlySecures() && intake.HostOf(m.To) == intake.HostOf(site.SiteURL) {
		if seen.own.Status == 0 {
			return fmt.Errorf("%s cannot be reached: %s", m.To, seen.own.Problem)
		}
		return nil
	}
	before, err := store.ProofsOfSite(ctx, siteID)
	if err != nil {
		return err
	}
	for _, host := range m.hosts() {
		at := slices.IndexFunc(seen.hosts, func(h hostSeen) bool { return h.host == host })
		if at < 0 {
			return &ErrUnproven{host, []string{"it was not looked at"}}
		}
		found, why := seen.hosts[at].proof, seen.hosts[at].why
		if err := dropContested(ctx, store, siteID, host, &found, &why); err != nil {
			return err
		}
		if was := proofOf(before, host); found.Method == "" && (was.Method == "" || was.LapsedAt != "") {
			return &ErrUnproven{host, why}
		}
	}
	return nil
}

// movedPages are the pages of a site, as far as a move needs them.
type movedPages struct {
	old   []origin.Page     // below the old address
	fresh []origin.Page     // active ones below the new address
	byURL map[string]string // addresses of fresh to their entry ids
	urls  map[string]string // entry ids of fresh to their addresses

	taken map[string]bool // addresses of all pages of the site
	led   []origin.Page   // pages whose successors are below the old address

	texts  map[string]int    // how many old pages have a fingerprint
	byText map[string]string // fresh pages by fingerprint, "" where several have it; nil until one is needed
}

func readMovedPages(ctx context.Context, store Store, siteID string, m Move) (*movedPages, error) {
	p := &movedPages{byURL: map[string]string{}, urls: map[string]string{}, taken: map[string]bool{}, texts: map[string]int{}}
	for page, err := range intake.Pages(ctx, store, siteID) {
		if err != nil {
			return nil, err
		}
		p.add(page, m)
	}
	return p, nil
}

func (p *movedPages) add(page *origin.Page, m Move) {
	kept := origin.Page{
		EntryID: page.EntryID, CanonicalURL: page.CanonicalURL, Portable: page.Portable, ChangedAt: page.ChangedAt, Successor: page.Successor, SuccessorURL: page.SuccessorURL,
	}
	p.taken[page.CanonicalURL] = true
	if m.onlySecures() && page.Successor != "" && m.covers(page.SuccessorURL) {
		p.led = append(p.led, kept)
	}
	switch {
	case m.covers(page.CanonicalURL):
		p.old = append(p.old, kept)
		p.texts[page.Portable]++
	case strings.HasPrefix(page.CanonicalURL, m.To) && page.State == "active":
		p.fresh = append(p.fresh, kept)
		p.byURL[page.CanonicalURL], p.urls[page.EntryID] = page.EntryID, page.CanonicalURL
	}
}

// successorOf returns the successor of a page that moved, "" if it has none.
func (p *movedPages) successorOf(ctx context.Context, store Store, page *origin.Page, m Move) (string, error) {
	address, err := urlkey.Address(m.apply(page.CanonicalURL))
	if err == nil && p.byURL[address] != "" {
		return p.byURL[address], nil
	}
	if page.Portable == "" || p.texts[page.Portable] != 1 {
		return "", nil
	}
	if err := p.readTexts(ctx, store); err != nil {
		return "", err
	}
	return p.byText[page.Portable], nil
}

// readTexts reads the fingerprints of the pages at the new address. A page with
// the text of an old page waits for review and has no fingerprint yet.
func (p *movedPages) readTexts(ctx context.Context, store Store) error {
	if p.byText != nil {
		return nil
	}
	p.byText = map[string]string{}
	for i := range p.fresh {
		text := p.fresh[i].Portable
		if text == "" {
			x, err := store.Extraction(ctx, p.fresh[i].EntryID)
			if err != nil && !errors.Is(err, origin.ErrNotFound) {
				return err
			}
			text = x.Portable
		}
		if _, several := p.byText[text]; several || text == "" {
			p.byText[text] = ""
			continue
		}
		p.byText[text] = p.fresh[i].EntryID
	}
	return nil
}

func linkPages(ctx context.Context, store Store, siteID string, m Move, at string, r *MoveReport) error {
	pages, err := readMovedPages(ctx, store, siteID, m)
	if err != nil {
		return err
	}
	for i := range pages.old {
		if err := movePage(ctx, store, siteID, pages, &pages.old[i], m, at, r); err != nil {
			return err
		}
	}
	if err := moveMemory(ctx, store, siteID, m, r.Kept); err != nil {
		return err
	}
	return pages.leadOn(ctx, store, at)
}

// movePage links a page to its successor, or gives it the https address.
func movePage(ctx context.Context, store Store, siteID string, pages *movedPages, page *origin.Page, m Move, at string, r *MoveReport) error {
	successor, err := pages.successorOf(ctx, store, page, m)
	address := m.apply(page.CanonicalURL)
	switch {
	case err != nil:
		return err
	case successor == "" && page.Successor != "":
		r.Already++
		return nil
	case successor == "" && m.onlySecures() && !pages.taken[address]:
		if err := readdress(ctx, store, page.EntryID, address, at); err != nil {
			return err
		}
		pages.urls[page.EntryID] = address
		r.Kept = append(r.Kept, Kept{page.EntryID, address, page.CanonicalURL})
		return nil
	case successor == "":
		r.Unmatched = append(r.Unmatched, page.CanonicalURL)
		return nil
	}
	changed, err := store.SetSuccessor(ctx, page.EntryID, successor, pages.urls[successor], max(at, page.ChangedAt))
	if err != nil {
		return err
	}
	if err := releaseTwin(ctx, store, successor, at); err != nil {
		return err
	}
	if !changed {
		r.Already++
		return nil
	}
	r.Linked = append(r.Linked, Link{page.EntryID, page.CanonicalURL, successor, pages.urls[successor]})
	return nil
}

// readdress changes the address of an entry.
func readdress(ctx context.Context, store Store, entryID, address, at string) error {
	page, err := store.Page(ctx, entryID)
	if err != nil {
		return err
	}
	page.CanonicalURL, page.ChangedAt = address, max(at, page.ChangedAt)
	page.Registry = urlkey.RegistryDigest(page.SiteID, page.EntryID, page.CanonicalURL, page.Portable)
	return store.PutPage(ctx, page, nil)
}

// leadOn updates, in the pages that name them, the addresses of successors that have moved.
func (p *movedPages) leadOn(ctx context.Context, store Store, at string) error {
	for i := range p.led {
		page := &p.led[i]
		if address := p.urls[page.Successor]; address != "" {
			if _, err := store.SetSuccessor(ctx, page.EntryID, page.Successor, address, max(at, page.ChangedAt)); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveMemory tells the importer the new addresses of the entries that kept
// their ids, so that it neither reads them again nor misses them at their old
// addresses.
func moveMemory(ctx context.Context, store Store, siteID string, m Move, kept []Kept) error {
	isKept := map[string]bool{}
	for _, k := range kept {
		isKept[k.EntryID] = true
	}
	for f, err := range intake.Fetches(ctx, store, siteID) {
		if err != nil {
			return err
		}
		if !isKept[f.EntryID] || !m.covers(f.URL) {
			continue
		}
		left := origin.Fetch{URL: f.URL, SiteID: siteID, Outcome: "skipped", Reason: "moved to " + m.apply(f.URL), Run: f.Run, FetchedAt: f.FetchedAt, Source: f.Source}
		moved := *f
		moved.URL, moved.Source = m.apply(f.URL), m.apply(f.Source)
		if err := errors.Join(store.PutFetch(ctx, moved), store.PutFetch(ctx, left)); err != nil {
			return err
		}
	}
	return nil
}

// releaseTwin takes a page out of review if the only reason was that another page of the
// site had the same text, and none has it now. Pages that are inactive, in review or
// rejected do not count.
func releaseTwin(ctx context.Context, store Store, entryID, at string) error {
	x, err := store.Extraction(ctx, entryID)
	if errors.Is(err, origin.ErrNotFound) || err == nil && x.Review != origin.ReviewWaiting {
		return nil
	}
	if err != nil {
		return err
	}
	for _, reason := range x.Reasons {
		if reason.Code != extract.ReviewDuplicate {
			return nil
		}
	}
	twin, err := intake.FindTwin(ctx, store, &x)
	if err != nil || twin != "" {
		return err
	}
	return intake.Accept(ctx, store, entryID, at)
}
