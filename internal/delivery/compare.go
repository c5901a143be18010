package delivery

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// compareRows is how many rows of a comparison are read at once.
const compareRows = 500

// Compare brings what the buyer was told up to what it may hold now, and
// reports whether it came to an end: with a budget of rows it may stop on the
// way, and the next call continues.
//
// It is right without a transaction. The counters of the store are read before
// anything else, so whatever changes later asks for another comparison. Each
// event is written only if the newest event of its item is still the one it
// was judged by. And a comparison only counts when nobody else wrote events
// meanwhile, for one that judged by older rights might have written last.
func (s *Session) Compare(ctx context.Context) (bool, error) {
	return s.compareWith(ctx, func() (origin.Feed, error) { return s.Store.Feed(ctx, s.Buyer.BuyerID) })
}

// compareWith is Compare with the function that reads the state of the feed.
// When the comparison came to its end, what was read last is the state after it.
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

// resumeScan continues with an open scan; false when it stopped or was overtaken.
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

// sitesToCompare lists, in order, the sites of which the buyer may hold
// anything now or was told that it does.
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

// compareRange compares a part of a site, and tells where it ended.
func (c *comparison) compareRange(ctx context.Context, site, after string) (wrote int64, last string, more bool, err error) {
	for try := 0; try < 5; try++ {
		if err := c.readRights(ctx); err != nil {
			return 0, "", false, err
		}
		current, err := c.Store.Items(ctx, site, after, compareRows)
		if err != nil {
			return 0, "", false, err
		}
		last, more = "", len(current) == compareRows
		if more {
			last = current[len(current)-1].EntryID
		}
		held, err := c.Store.HoldingsOf(ctx, c.Buyer.BuyerID, site, after, last, 2*compareRows)
		if err != nil {
			return 0, "", false, err
		}
		c.seen += len(current)
		events := c.compareItems(current, held)
		if len(events) == 0 {
			return wrote, last, more, nil
		}
		n, err := c.Store.AppendEvents(ctx, c.Buyer.BuyerID, events)
		if err != nil {
			return 0, "", false, err
		}
		if wrote += n; n == int64(len(events)) {
			return wrote, last, more, nil
		}
	}
	return 0, "", false, ErrBusy
}

// compareItems judges each item of a part, both lists being ordered by entry.
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

// compareItem returns what the buyer must be told about an item, if anything.
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
		e.EffectiveAt, e.DeleteHours = endOfRight(c.Grants, h.Grants, check.Reason, at)
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
		e.Change, e.Sequence = "updated", h.Sequence // it may come into a scope that it was not in
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
		if !exports.OneOf(x, whole) {
			return false
		}
	}
	return true
}

// metadataMark returns a short hash of everything that a buyer sees of an item
// besides its content and uses.
func metadataMark(i *origin.Item, check *rights.GrantCheck) string {
	g := check.Grants[0]
	parts := []string{
		i.Title, i.Language, i.CanonicalURL, i.PublishedAt, i.ModifiedAt, strconv.FormatInt(i.WordCount, 10), i.Portable, i.SiteName,
		strconv.FormatBool(i.Recorded), g.Attribution, strconv.FormatInt(g.DisplayLimit, 10), g.Reporting, strconv.FormatInt(g.DeleteHours, 10), i.Section, "",
	}
	parts = append(append(parts, i.Byline...), "")
	return exports.CursorMark(append(parts, i.Terms...)...)
}
