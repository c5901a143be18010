package worker

import (
	"context"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/listing"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// pagingAsk takes the paging parameters of a call, and keeps the others for links.
func (c *call) pagingAsk() staticindex.Ask {
	a := staticindex.Ask{Q: c.query.get("q"), Limit: c.query.get("limit"), Offset: c.query.get("offset"), Cursor: c.query.get("cursor"), Path: c.Path}
	for _, v := range c.query {
		switch v.name {
		case "limit", "offset", "cursor":
		default:
			a.Params = append(a.Params, [2]string{v.name, v.text})
		}
	}
	return a
}

// allValues returns every occurrence of a parameter.
func (c *call) allValues(name string) []string {
	var out []string
	for _, v := range c.query {
		if v.name == name {
			out = append(out, v.text)
		}
	}
	return out
}

// respondComputed answers with a record made from published files.
func (c *call) respondComputed(r wire.Record) *edge.Response {
	resp := &edge.Response{Status: 200, Body: wire.Append(nil, r)}
	resp.Header.Set("content-type", exports.MediaJSON)
	resp.Header.Set("cache-control", c.endpoint.Cache)
	return addValidators(c.Request, resp, entityTag(resp.Body))
}

// respondList answers with a list, whose next page is also in Link (RFC 8288).
func respondList[T any, P interface {
	*T
	wire.Record
}](c *call, l *exports.List[T, P], err error) (*edge.Response, error) {
	if err != nil {
		return nil, err
	}
	resp := c.respondComputed(l)
	addNext(resp, l.Links.Next)
	return resp, nil
}

func addNext(resp *edge.Response, next string) {
	if next != "" && resp.Status == 200 {
		resp.Header.Add("link", "<"+next+`>; rel="next"`)
	}
}

func searchCatalog(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.SearchCatalog(ctx, c.pagingAsk())
	return respondList(c, l, err)
}

func serveInventory(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Inventory(ctx, c.path["site_id"], c.pagingAsk())
	return respondList(c, l, err)
}

func siteRecords(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.SiteRecords(ctx, c.path["site_id"], c.pagingAsk())
	return respondList(c, l, err)
}

func licensingFeed(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Feed(ctx, c.pagingAsk(), false)
	return respondList(c, l, err)
}

// licensingFeedLines answers with one record on each line. A cut answer is
// resumed at the cursor of its last complete line.
func licensingFeedLines(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Feed(ctx, c.pagingAsk(), true)
	if err != nil {
		return nil, err
	}
	var body []byte
	for i := range l.Data {
		body = append(wire.Append(body, &l.Data[i]), '\n')
	}
	resp := &edge.Response{Status: 200, Body: body}
	resp.Header.Set("content-type", exports.MediaNDJSON)
	resp.Header.Set("cache-control", c.endpoint.Cache)
	resp.Header.Set("record-count", strconv.Itoa(len(l.Data)))
	if l.Page.NextCursor != "" {
		resp.Header.Set("next-cursor", l.Page.NextCursor)
		addNext(resp, l.Links.Next)
	}
	tag := entityTag(body)
	return ranged(c.Request, addValidators(c.Request, resp, tag), tag), nil
}

func buyerDemand(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Demand(ctx, c.pagingAsk())
	return respondList(c, l, err)
}

func ledgerSearch(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.LedgerSearch(ctx, c.pagingAsk())
	return respondList(c, l, err)
}

func licenseCatalog(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.LicenseCatalog(ctx, c.pagingAsk(), listing.OfferFilter{
		SiteID: c.query.get("site_id"), Category: c.query.get("category"), Territory: c.query.get("territory"),
		Use: c.allValues("use"), Payment: c.allValues("payment"), UserType: c.allValues("user_type"), Status: c.allValues("status"),
	})
	return respondList(c, l, err)
}

func rightsMap(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.RightsMap(ctx, c.pagingAsk(), c.allValues("category"), c.allValues("readiness"))
	return respondList(c, l, err)
}

func resolveCitation(ctx context.Context, c *call) (*edge.Response, error) {
	given := 0
	for _, name := range []string{"url", "fingerprint", "entry_id"} {
		if c.query.has(name) {
			given++
		}
	}
	if given != 1 {
		return nil, problem.New("lookup_key_required", "Give exactly one of url, fingerprint and entry_id.")
	}
	r, err := c.deps.catalog.Resolve(ctx, lookup.Lookup{URL: c.query.get("url"), Fingerprint: c.query.get("fingerprint"), EntryID: c.query.get("entry_id")})
	if err != nil {
		return nil, err
	}
	if r.Basis == exports.BasisSamePage {
		q := &rightsQuestion{RightsQuery: exports.RightsQuery{Key: r.Key, Normalized: r.Normalized}}
		of := func(x exports.Candidate) (string, string) { return x.CanonicalURL, x.SiteID }
		if r.Candidates, err = dropOthers(ctx, q, static{c.deps}, r.Candidates, of); err != nil {
			return nil, err
		}
		if len(r.Candidates) == 0 {
			return nil, lookup.NoMatch(r.Key)
		}
	}
	return c.respondComputed(r), nil
}

// similarCitations finds registered texts by the similarity of their wording.
func similarCitations(ctx context.Context, c *call) (*edge.Response, error) {
	code, err := iscc.Parse(c.query.get("iscc"))
	if err != nil {
		return nil, problem.InvalidParam("iscc", "must be an ISCC Text-Code of 256 bits")
	}
	least, err := parseSimilarity(c.query.get("min"))
	if err != nil {
		return nil, err
	}
	r, err := c.deps.catalog.Similar(ctx, code, least)
	if err != nil {
		return nil, err
	}
	return c.respondComputed(r), nil
}

// parseSimilarity reads the least similarity that is wanted, in thousandths.
func parseSimilarity(text string) (int64, error) {
	if text == "" {
		return usualSimilarity, nil
	}
	whole, decimals, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(whole+(decimals + "000")[:3], 10, 16)
	if err != nil || len(whole) != 1 || len(decimals) > 3 || n < leastSimilarity || n > 1000 {
		return 0, problem.InvalidParam("min", "must be a number from 0.5 to 1 with at most three decimals")
	}
	return int64(n), nil
}

// In thousandths. What is less than the least is hardly told from chance, and
// hardly found.
const (
	usualSimilarity = 800
	leastSimilarity = 500
)

// serveCitation answers with a citation document in the form that Accept prefers.
func serveCitation(ctx context.Context, c *call) (*edge.Response, error) {
	media := citationMediaOf(c.Header.Get("accept"))
	resp, err := c.deps.serveFile(ctx, c.Request, c.endpoint)
	if err != nil || media == mediaOf(exports.MediaJSON) || resp.Status != 200 {
		return resp, err
	}
	doc, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(c.Path)))
	if err != nil {
		return nil, err
	}
	var cited exports.Citation
	if err := wire.Decode(doc, &cited, wire.Trusted); err != nil {
		return nil, err
	}
	out := &edge.Response{Status: 200}
	out.Body, media = citationForm(&cited, media)
	out.Header.Set("content-type", media)
	out.Header.Set("cache-control", c.endpoint.Cache)
	out.Header.Set("vary", "accept")
	return addValidators(c.Request, out, entityTag(out.Body)), nil
}

// citationMediaOf is the form of a citation that a caller gets. The piece of
// HTML is for a caller that names it and takes no JSON: browsers name HTML and
// take everything, and what they ask for is an address that ends in .json.
func citationMediaOf(accept string) string {
	json := mediaOf(exports.MediaJSON)
	media := Accepts(accept, append([]string{json}, citationMedia...))
	if media == mediaOf(exports.MediaHTML) && acceptQuality(accept, json) > 0 {
		return json
	}
	return media
}

func citationForm(c *exports.Citation, media string) (body []byte, contentType string) {
	switch media {
	case "application/vnd.citationstyles.csl+json":
		return wire.Append(nil, &exports.CSL{C: c}), media
	case "application/x-bibtex":
		return []byte(c.BibTeX), media + "; charset=utf-8"
	case "text/html":
		lang := ""
		if c.Source.Language != "" && !strings.ContainsAny(c.Source.Language, "\"<>& ") {
			lang = ` lang="` + c.Source.Language + `"`
		}
		return []byte("<p" + lang + " dir=\"auto\">" + c.HTML + "</p>\n"), exports.MediaHTML
	}
	return []byte(c.Plain + "\n"), exports.MediaText
}
