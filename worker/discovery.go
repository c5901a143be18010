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
	"colophon/worker/request"
)

// pagingAsk takes the paging parameters of a call, and keeps the others for links.
func (c *call) pagingAsk() staticindex.Ask {
	a := staticindex.Ask{Q: c.Values.Get("q"), Limit: c.Values.Get("limit"), Offset: c.Values.Get("offset"), Cursor: c.Values.Get("cursor"), Path: c.Path}
	for _, v := range c.Values {
		switch v[0] {
		case "limit", "offset", "cursor":
		default:
			a.Params = append(a.Params, v)
		}
	}
	return a
}

func searchCatalog(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.SearchCatalog(ctx, c.pagingAsk())
	return request.List(c.Call, l, err)
}

func serveInventory(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Inventory(ctx, c.Params["site_id"], c.pagingAsk())
	return request.List(c.Call, l, err)
}

func siteRecords(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.SiteRecords(ctx, c.Params["site_id"], c.pagingAsk())
	return request.List(c.Call, l, err)
}

func licensingFeed(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Feed(ctx, c.pagingAsk(), false)
	return request.List(c.Call, l, err)
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
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	resp.Header.Set("record-count", strconv.Itoa(len(l.Data)))
	if l.Page.NextCursor != "" {
		resp.Header.Set("next-cursor", l.Page.NextCursor)
		request.AddNext(resp, l.Links.Next)
	}
	tag := request.EntityTag(body)
	return request.Ranged(c.Request, request.AddValidators(c.Request, resp, tag), tag), nil
}

func buyerDemand(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.Demand(ctx, c.pagingAsk())
	return request.List(c.Call, l, err)
}

func ledgerSearch(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.LedgerSearch(ctx, c.pagingAsk())
	return request.List(c.Call, l, err)
}

func licenseCatalog(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.LicenseCatalog(ctx, c.pagingAsk(), listing.OfferFilter{
		SiteID: c.Values.Get("site_id"), Category: c.Values.Get("category"), Territory: c.Values.Get("territory"),
		Use: c.All("use"), Payment: c.All("payment"), UserType: c.All("user_type"), Status: c.All("status"),
	})
	return request.List(c.Call, l, err)
}

func rightsMap(ctx context.Context, c *call) (*edge.Response, error) {
	l, err := c.deps.catalog.RightsMap(ctx, c.pagingAsk(), c.All("category"), c.All("readiness"))
	return request.List(c.Call, l, err)
}

func resolveCitation(ctx context.Context, c *call) (*edge.Response, error) {
	given := 0
	for _, name := range []string{"url", "fingerprint", "entry_id"} {
		if c.Values.Has(name) {
			given++
		}
	}
	if given != 1 {
		return nil, problem.New("lookup_key_required", "Give exactly one of url, fingerprint and entry_id.")
	}
	r, err := c.deps.catalog.Resolve(ctx, lookup.Lookup{URL: c.Values.Get("url"), Fingerprint: c.Values.Get("fingerprint"), EntryID: c.Values.Get("entry_id")})
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
	return c.Computed(r), nil
}

// similarCitations finds registered texts by the similarity of their wording.
func similarCitations(ctx context.Context, c *call) (*edge.Response, error) {
	code, err := iscc.Parse(c.Values.Get("iscc"))
	if err != nil {
		return nil, problem.InvalidParam("iscc", "must be an ISCC Text-Code of 256 bits")
	}
	least, err := parseSimilarity(c.Values.Get("min"))
	if err != nil {
		return nil, err
	}
	r, err := c.deps.catalog.Similar(ctx, code, least)
	if err != nil {
		return nil, err
	}
	return c.Computed(r), nil
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
	resp, err := c.deps.serveFile(ctx, c.Request, c.Endpoint)
	if err != nil || media == request.MediaOf(exports.MediaJSON) || resp.Status != 200 {
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
	out.Header.Set("cache-control", c.Endpoint.Cache)
	out.Header.Set("vary", "accept")
	return request.AddValidators(c.Request, out, request.EntityTag(out.Body)), nil
}

// citationMediaOf is the form of a citation that a caller gets. The piece of
// HTML is for a caller that names it and takes no JSON: browsers name HTML and
// take everything, and what they ask for is an address that ends in .json.
func citationMediaOf(accept string) string {
	json := request.MediaOf(exports.MediaJSON)
	media := request.Accepts(accept, append([]string{json}, request.CitationMedia...))
	if media == request.MediaOf(exports.MediaHTML) && request.AcceptQuality(accept, json) > 0 {
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
