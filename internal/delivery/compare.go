package delivery

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/paging"
	"colophon/internal/rights"
)

// compareRows is how many rows of a comparison are read at once.
const compareRows = 500

// Compare updates what the buyer was told to what it may hold now. It reports
// whether it finished: a budget of rows may end it early, and the next call
// continues.
//
// It is correct without a transaction. It reads the store's counters before
// anything else, so any later change causes another comparison. It writes an
// event only if the newest event of the item is still the one it judged by. And
// a comparison counts only if nobody else wrote events meanwhile, because a
// writer with older rights might have written last.
func (s *Session) Compare(ctx context.Context) (bool, error) {
	return s.compareWith(ctx, func() (origin.Feed, error) { return s.Store.Feed(ctx, s.Buyer.BuyerID) })
}

// compareWith is Compare with the function that reads the state of the feed. If
// the comparison finished, the last state read is the one after it.
func (s *Session) compareWith(ctx context.Context, read func() (origin.Feed, error)) (bool, error) {
	c := &comparison{Session: s}
	for try := 0; try < 8; try++ {
		f, err := read()
		if err != nil {
			return false, err
		}
		if !f.ScanOpen {
			if f.Stamp == f.Now && (f.Boundary == "" || exports.Instant(s.Now()) < f.Boundary) {
				return true, nil
			}
			if err := s.readRights(ctx); err != nil {
				return false, err
			}
			if _, err := s.Store.OpenScan(ctx, s.Buyer.BuyerID, f.Scan, f.Now, rights.NextChange(s.Grants, exports.Instant(s.at))); err != nil {
				return false, err
			}
			continue
		}
		if done, err := c.resumeScan(ctx, &f); err != nil || !done && c.isSpent() {
			return false, err
		}
	}
	return false, nil
}

// comparison is one call of Compare.
type comparison struct {
	*Session
	seen int // rows
}

func (c *comparison) isSpent() bool { return c.Budget.Rows > 0 && c.seen >= c.Budget.Rows }

// resumeScan continues an open scan. It returns false if the scan stopped or
// was overtaken.
func (c *comparison) resumeScan(ctx context.Context, f *origin.Feed) (bool, error) {
	sites, err := c.sitesToCompare(ctx)
	if err != nil {
		return false, err
	}
	place := f.ScanPlace
	fromSite, fromEntry, _ := strings.Cut(place, "/")
	for _, site := range sites {
		if site < fromSite {
			continue
		}
		after := ""
		if site == fromSite {
			after = fromEntry
		}
		for more := true; more; {
			if c.isSpent() {
				return false, nil
			}
			var wrote int64
			wrote, after, more, err = c.compareRange(ctx, site, after)
			if err != nil {
				return false, err
			}
			next := site + "/" + after
			if !more {
				next = site + "/~" // after every entry
			}
			moved, err := c.Store.MoveScan(ctx, c.Buyer.BuyerID, f.Scan, place, next, wrote)
			if !moved || err != nil {
				return false, err
			}
			place = next
		}
	}
	_, err = c.Store.CloseScan(ctx, c.Buyer.BuyerID, f.Scan)
	return true, err
}

// sitesToCompare returns, in order, the sites from which the buyer may hold
// something now or was told that it does.
func (c *comparison) sitesToCompare(ctx context.Context) ([]string, error) {
	if err := c.readRights(ctx); err != nil {
		return nil, err
	}
	held, err := c.Store.HeldSites(ctx, c.Buyer.BuyerID)
	if err != nil {
		return nil, err
	}
	sites := append(sitesOf(c.activeGrants(nil)), held...)
	slices.Sort(sites)
	return slices.Compact(sites), nil
}

// compareRange compares a part of a site and returns where it ended.
func (c *comparison) compareRange(ctx context.Context, site, after string) (wrote int64, last string, more bool, err error) {
	for try := 0; try < 5; try++ {
		if err := c.readRights(ctx); err != nil {
			return wrote, last, more, err
		}
		current, err := c.Store.Items(ctx, site, after, compareRows)
		if err != nil {
			return wrote, last, more, err
		}
		last, more = "", len(current) == compareRows
		if more {
			last = current[len(current)-1].EntryID
		}
		held, err := c.Store.HoldingsOf(ctx, c.Buyer.BuyerID, site, after, last, 2*compareRows)
		if err != nil {
			return wrote, last, more, err
		}
		c.seen += len(current)
		events := c.compareItems(current, held)
		if len(events) == 0 {
			return wrote, last, more, nil
		}
		n, err := c.Store.AppendEvents(ctx, c.Buyer.BuyerID, events)
		if err != nil {
			return wrote, last, more, err
		}
		if wrote += n; n == int64(len(events)) {
			return wrote, last, more, nil
		}
	}
	return wrote, last, more, ErrBusy
}

// compareItems judges each item of a part; both lists are ordered by entry.
func (c *comparison) compareItems(current []origin.Item, held []origin.Holding) []origin.Holding {
	at := exports.Instant(c.at)
	var events []origin.Holding
	for len(current) > 0 || len(held) > 0 {
		var item *origin.Item
		var h *origin.Holding
		if len(current) > 0 && (len(held) == 0 || current[0].EntryID <= held[0].EntryID) {
			item, current = &current[0], current[1:]
		}
		if len(held) > 0 && (item == nil || held[0].EntryID == item.EntryID) {
			h, held = &held[0], held[1:]
		}
		if e, ok := c.compareItem(item, h, at); ok {
			events = append(events, e)
		}
	}
	return events
}

// compareItem returns the event that the buyer must be told about an item, if
// there is one.
func (c *comparison) compareItem(item *origin.Item, h *origin.Holding, at string) (origin.Holding, bool) {
	holds := h != nil && h.State == "held"
	check := rights.GrantCheck{Reason: "entry_withdrawn"}
	if item != nil {
		var behind []string
		if holds {
			behind = h.Grants
		}
		check = rights.CheckGrants(&c.Buyer, c.Grants, item, at, behind)
	}
	if check.Reason != "" {
		if !holds {
			return origin.Holding{}, false
		}
		e := origin.Holding{EntryID: h.EntryID, SiteID: h.SiteID, State: "gone", Reason: check.Reason, Sequence: h.Sequence, At: at}
		e.EffectiveAt, e.DeleteHours = endOfRight(c.Grants, h.Grants, at)
		return e, true
	}
	e := origin.Holding{
		EntryID: item.EntryID, SiteID: item.SiteID, State: "held", Version: item.Version, Digest: item.Digest, Facts: metadataMark(item, &check),
		Uses: check.Uses, Grants: check.IDs(), DeleteHours: check.DeleteHours(), Told: -1, At: at,
	}
	switch {
	case h == nil:
		e.Change = "added"
	case !holds:
		e.Change, e.Sequence = "regranted", h.Sequence
	case h.Version != e.Version || h.Digest != e.Digest || h.Facts != e.Facts:
		e.Change, e.Sequence = "updated", h.Sequence
	case e.Uses&^h.Uses != 0 || !isSubset(e.Grants, h.Grants):
		e.Change, e.Sequence = "updated", h.Sequence // it may enter a scope that it was not in
	case h.Uses != e.Uses || len(h.Grants) != len(e.Grants):
		e.Change = h.Change
		e.Sequence = h.Sequence
		e.Told = h.Told
		e.Lost = (h.Lost | h.Uses) &^ e.Uses
	default:
		return e, false
	}
	return e, true
}

func isSubset(part, whole []string) bool {
	for _, x := range part {
		if !slices.Contains(whole, x) {
			return false
		}
	}
	return true
}

// metadataMark returns a short hash of everything that a buyer sees of an item
// other than its content and uses.
func metadataMark(i *origin.Item, check *rights.GrantCheck) string {
	g := check.Grants[0]
	parts := []string{
		i.Title, i.Language, i.CanonicalURL, i.PublishedAt, i.ModifiedAt, strconv.FormatInt(i.WordCount, 10), i.Portable, i.SiteName,
		strconv.FormatBool(i.Recorded), g.Attribution, strconv.FormatInt(g.DisplayLimit, 10), g.Reporting, strconv.FormatInt(g.DeleteHours, 10), i.Section, "",
	}
	parts = append(append(parts, i.Byline...), "")
	parts = append(parts, i.Terms...)
	if keeps := check.Retention(); keeps != exports.RetentionWhileLicensed {
		parts = append(parts, "", keeps)
	}
	return paging.Mark(parts...)
}
