package worker

import (
	"context"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/access"
)

// denied is the access response to a buyer without a right: a refusal that
// lists the routes to one, and says nothing about what exists.
func (c *call) denied() error {
	return denial(c.deps, c.query.get("use"), nil, exports.RightsStanding{})
}

// denial is the access response to a buyer, of a page when its sheet is given.
func denial(d *Deps, use string, sheet *rights.Sheet, standing exports.RightsStanding) *failure {
	u, _, stated := exports.ParseUse(use)
	if !stated {
		u = exports.UseRAG
	}
	x := access.OfBuyer(d.BaseURL, sheet, standing, u, stated)
	f := fail(x.Code, "No active grant covers this for "+string(u)+".")
	x.Headers(&f.header)
	f.more = []wire.Member{wire.M("access_response", x.AccessResponse())}
	return f
}

// denialOf is the access response about a page that anybody may know of: with
// what its publisher says of the uses, the offers and the policy behind it.
func denialOf(ctx context.Context, d *Deps, use string, item *origin.Item) error {
	if d.Rights == nil {
		return denial(d, use, nil, exports.RightsStanding{URL: item.CanonicalURL})
	}
	page, err := d.Rights.Page(ctx, item.EntryID)
	if err != nil {
		return err
	}
	q := &rightsQuestion{call: &call{deps: d}, now: d.Now(), at: d.Now()}
	q.At, q.Uses = exports.Instant(q.now), exports.UseWords()
	sheet, err := live{d.Rights}.sheet(ctx, q, item.SiteID)
	if err != nil {
		return err
	}
	if sheet == nil {
		return fail("entry_not_found", "")
	}
	standing, _, err := q.judge(ctx, sheet, rights.ResourceOf(&page))
	if err != nil {
		return err
	}
	return denial(d, use, sheet, standing)
}
