package worker

import (
	"context"
	"strconv"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/staticindex"
	"colophon/worker/edge"
	"colophon/worker/mcp"
	"colophon/worker/request"
)

// newMCP prepares the endpoints of the Model Context Protocol: their tools
// ask what the REST endpoints ask.
func newMCP(d *Deps) *mcp.Server {
	return mcp.New(mcp.Config{
		BaseURL: d.BaseURL,
		Origins: d.Origins,
		Catalog: &mcp.Files{Read: d.readPublished, Queries: d.Queries},
		Gateway: d.Gateway,
		Allow:   d.allowMCP,

		CheckRights: d.checkRights,
		Log:         d.Log,
	})
}

func (d *Deps) readPublished(ctx context.Context, key string) ([]byte, error) {
	return d.Assets.Read(ctx, key)
}

// allowMCP counts a call for a buyer or, where none is named, for the address
// of the caller.
func (d *Deps) allowMCP(ctx context.Context, r *edge.Request, policy, buyerID string) (bool, int64) {
	if d.Limits.Limiter == nil {
		return true, 0
	}
	key := buyerID
	if key == "" {
		key = d.Limits.CallerKey(r.Remote)
	}
	return d.Limits.Limiter.Allow(ctx, policy, key)
}

// checkRights answers a tool as the endpoint of the rights check answers whoever
// sends no credential.
func (d *Deps) checkRights(ctx context.Context, r *edge.Request, params [][2]string) (*exports.RightsAnswer, error) {
	e, _, _ := exports.Find("GET", exports.PathRightsCheck)
	c := &call{&request.Call{Request: &edge.Request{Method: "GET", Path: e.Path, ID: r.ID, Remote: r.Remote}, Endpoint: e}, d}
	for _, p := range params {
		if p[1] == "" {
			continue
		}
		if err := c.AddValue(request.FindParam(e, p[0]), p[1]); err != nil {
			return nil, err
		}
	}
	q, err := c.rightsQuestion()
	if err != nil {
		return nil, err
	}
	return q.answer(ctx)
}

func mcpPublic(ctx context.Context, c *call) (*edge.Response, error) {
	return c.deps.mcp.Public(ctx, c.Request), nil
}

func mcpGateway(ctx context.Context, c *call) (*edge.Response, error) {
	return c.deps.mcp.Buyers(ctx, c.Request), nil
}

func mcpPublisher(ctx context.Context, c *call) (*edge.Response, error) {
	return c.deps.mcp.Publisher(ctx, c.Request, c.Params["site_id"]), nil
}

// tools asks the static index for the tools that search.
type tools struct{ catalog *catalog.Catalog }

// SearchCatalog is the REST answer to the same question.
func (t tools) SearchCatalog(ctx context.Context, q string, limit int64, cursor string) (*exports.SearchList, error) {
	return t.catalog.SearchCatalog(ctx, staticindex.Ask{Q: q, Limit: strconv.FormatInt(limit, 10), Cursor: cursor, Path: exports.PathSearch, Params: [][2]string{{"q", q}}})
}

// Inventory is the REST answer to the same question.
func (t tools) Inventory(ctx context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error) {
	a := staticindex.Ask{Q: q, Limit: strconv.FormatInt(limit, 10), Offset: strconv.FormatInt(offset, 10), Path: exports.InventoryPath(siteID)}
	if q != "" {
		a.Params = [][2]string{{"q", q}}
	}
	return t.catalog.Inventory(ctx, siteID, a)
}
