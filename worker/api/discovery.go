// Package api serves programs with what is public: lists and searches,
// citations and records, the preparation of inquiries, and the sandbox.
package api

import (
	"context"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/iscc"
	"colophon/internal/listing"
	"colophon/internal/lookup"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/rightscheck"
)

// Service answers programs.
type Service struct {
	BaseURL string // absolute, without a final slash
	Catalog *catalog.Reader
	Files   *files.Service
	Rights  Rights
	Verify  provrecord.VerifyFunc
	Sandbox edge.Handler // the service over invented publishers
	Now     func() time.Time
}

// Rights answers what is known about the uses of pages.
type Rights interface {
	// URLQuestion returns a question about all uses of a canonical address for
	// an audience; id is that of the request.
	URLQuestion(id, url, userType, territory string) *rightscheck.Question
	// Answer answers a question.
	Answer(ctx context.Context, q *rightscheck.Question) (*exports.RightsAnswer, error)
	// OwnPages drops pages under other hosts than that of an address, unless
	// they belong to a site that showed control of the address's host.
	OwnPages(ctx context.Context, key, url string, same []exports.Candidate) ([]exports.Candidate, error)
}

// Search answers with pages that match words and filters.
func (s *Service) Search(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.SearchCatalog(ctx, c.Paging())
	return request.List(c, l, err)
}

// Inventory answers with the pages of a publisher.
func (s *Service) Inventory(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.Inventory(ctx, c.Params["site_id"], c.Paging())
	return request.List(c, l, err)
}

// SiteRecords answers with the provenance records of a site.
func (s *Service) SiteRecords(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.SiteRecords(ctx, c.Params["site_id"], c.Paging())
	return request.List(c, l, err)
}

// Feed answers with the licensing feed.
func (s *Service) Feed(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.Feed(ctx, c.Paging(), false)
	return request.List(c, l, err)
}

// FeedLines answers with one record per line. A client resumes an answer that
// was cut off at the cursor of its last complete line.
func (s *Service) FeedLines(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.Feed(ctx, c.Paging(), true)
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

// Demand answers with buyers' public requests.
func (s *Service) Demand(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.Demand(ctx, c.Paging())
	return request.List(c, l, err)
}

// LedgerSearch answers with the leaves of the ledger that match.
func (s *Service) LedgerSearch(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.LedgerSearch(ctx, c.Paging())
	return request.List(c, l, err)
}

// LicenseCatalog answers with offers.
func (s *Service) LicenseCatalog(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.LicenseCatalog(ctx, c.Paging(), listing.OfferFilter{
		SiteID: c.Values.Get("site_id"), Category: c.Values.Get("category"), Territory: c.Values.Get("territory"),
		Use: c.All("use"), Payment: c.All("payment"), UserType: c.All("user_type"), Status: c.All("status"),
	})
	return request.List(c, l, err)
}

// RightsMap answers with the rights map.
func (s *Service) RightsMap(ctx context.Context, c *request.Call) (*edge.Response, error) {
	l, err := s.Catalog.RightsMap(ctx, c.Paging(), c.All("category"), c.All("readiness"))
	return request.List(c, l, err)
}

// Resolve answers which registered pages a key belongs to.
func (s *Service) Resolve(ctx context.Context, c *request.Call) (*edge.Response, error) {
	given := 0
	for _, name := range []string{"url", "fingerprint", "entry_id"} {
		if c.Values.Has(name) {
			given++
		}
	}
	if given != 1 {
		return nil, problem.New("lookup_key_required", "Give exactly one of url, fingerprint and entry_id.")
	}
	r, err := s.Catalog.Resolve(ctx, lookup.Query{URL: c.Values.Get("url"), Fingerprint: c.Values.Get("fingerprint"), EntryID: c.Values.Get("entry_id")})
	if err != nil {
		return nil, err
	}
	if r.Basis == exports.BasisSamePage {
		if r.Candidates, err = s.Rights.OwnPages(ctx, r.Key, r.Normalized, r.Candidates); err != nil {
			return nil, err
		}
		if len(r.Candidates) == 0 {
			return nil, lookup.NoMatch(r.Key)
		}
	}
	return c.Computed(r), nil
}

// Similar finds registered texts by the similarity of their wording.
func (s *Service) Similar(ctx context.Context, c *request.Call) (*edge.Response, error) {
	code, err := iscc.Parse(c.Values.Get("iscc"))
	if err != nil {
		return nil, problem.InvalidParam("iscc", "must be an ISCC Text-Code of 256 bits")
	}
	least, err := parseSimilarity(c.Values.Get("min"))
	if err != nil {
		return nil, err
	}
	r, err := s.Catalog.Similar(ctx, code, least)
	if err != nil {
		return nil, err
	}
	return c.Computed(r), nil
}

// parseSimilarity parses the least similarity wanted, in thousandths.
func parseSimilarity(text string) (int64, error) {
	if text == "" {
		return lookup.UsualSimilarity, nil
	}
	whole, decimals, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(whole+(decimals + "000")[:3], 10, 16)
	if err != nil || len(whole) != 1 || len(decimals) > 3 || n < leastSimilarity || n > 1000 {
		return 0, problem.InvalidParam("min", "must be a number from 0.5 to 1 with at most three decimals")
	}
	return int64(n), nil
}

// leastSimilarity is the least similarity that can be asked for, in
// thousandths. Lower ones hardly differ from chance and are hardly ever found.
const leastSimilarity = 500

// Citation answers with a citation document in the form that Accept prefers.
func (s *Service) Citation(ctx context.Context, c *request.Call) (*edge.Response, error) {
	media := citationMediaOf(c.Header.Get("accept"))
	resp, err := s.Files.Serve(ctx, c.Request, c.Endpoint)
	if err != nil || media == request.MediaOf(exports.MediaJSON) || resp.Status != 200 {
		return resp, err
	}
	var cited exports.Citation
	if err := s.Files.ReadRecord(ctx, c.Path, &cited); err != nil {
		return nil, err
	}
	out := &edge.Response{Status: 200}
	out.Body, media = citationForm(&cited, media)
	out.Header.Set("content-type", media)
	out.Header.Set("cache-control", c.Endpoint.Cache)
	out.Header.Set("vary", "accept")
	return request.AddValidators(c.Request, out, request.EntityTag(out.Body)), nil
}

// citationMediaOf returns the form of a citation that a caller gets. The HTML
// fragment is only for a caller that names HTML and does not accept JSON:
// browsers name HTML and accept everything, and what they open is an address
// that ends in .json.
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
