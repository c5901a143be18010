package exports_test

import (
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
)

func TestIsShared(t *testing.T) {
	for path, want := range map[string]bool{
		"": true, "/": true, "/nowhere": true, "/catalog/": true, "/demand/": true, "/v1/public/rights/check": true,
		"/v1/public/citations/x": true, "/citations/ent_x/cite.bib": true, "/.well-known/openid-configuration": true,
		"/v1/partner/status": false, "/v1/partner/nothing": false, "/v1/rag-delivery/": false, "/v1/rag-delivery/items": false,
		"/mcp": false, "/mcp/gateway": false, "/mcp/publisher/harbor-ledger": false,
		"/inbox/": false, "/inbox/ibx_x": false, "/letters/req_x/k": false, "/join/": false, "/join/jns_x": false, "/join/index.html": false,
		"/shortlist/": false, "/demand/new/": false, "/conversation/": false,
		"/v1/public/licensing-conversations/thr_x/messages": false, "/v1/public/agent-procurement/thr_x": false,
	} {
		assert.Equal(t, exports.IsShared(path), want, "%q", path)
	}
}

func TestFindPage(t *testing.T) {
	for _, c := range []struct {
		method, path, query string
		id, name, value     string
		load                exports.Load
	}{
		{"GET", "/catalog/", "q=x", "catalog_page", "", "", exports.LoadSearch},
		{"GET", "/catalog/", "", "", "", "", ""},
		{"POST", "/catalog/", "q=x", "", "", "", ""},
		{"GET", "/check/", "q=x", "check_page", "", "", exports.LoadReads},
		{"POST", "/check/", "", "check_form", "", "", exports.LoadReads},
		{"GET", "/status/", "", "status_page", "", "", exports.LoadReads},
		{"GET", "/publishers/a-b/request/", "use=rag", "request_page", "site_id", "a-b", exports.LoadSearch},
		{"GET", "/publishers/a-b/request", "use=rag", "", "", "", ""},
		{"GET", "/inbox/", "", "", "", "", ""},
		{"GET", "/inbox/ibx_x/req_1", "", "inbox_page", "link", "ibx_x/req_1", exports.LoadReads},
		{"DELETE", "/inbox/ibx_x", "", "inbox_page", "link", "ibx_x", exports.LoadWrites},
		{"POST", "/join/", "", "join_form", "", "", exports.LoadWrites},
		{"GET", "/join/", "", "", "", "", ""},
		{"GET", "/join/index.html", "", "", "", "", ""},
		{"GET", "/join/jns_x", "", "join_page", "link", "jns_x", exports.LoadReads},
		{"GET", "/citations/ent_x/cite.ris", "", "citation_ris", "entry_id", "ent_x", exports.LoadSearch},
		{"GET", "/.well-known/openid-configuration/mcp/gateway", "", "no_auth_server", "issuer", "mcp/gateway", exports.LoadSearch},
		{"GET", "/.well-known/other", "", "", "", "", ""},
	} {
		e, params := exports.FindPage(c.method, c.path, c.query)
		if e == nil {
			e = &exports.Endpoint{}
		}
		if e.ID != c.id || params[c.name] != c.value || e.ID != "" && e.LoadOf(c.method, c.query) != c.load {
			t.Errorf("%s %s?%s is %q with %q", c.method, c.path, c.query, e.ID, params)
		}
	}
}

func TestWithoutSecret(t *testing.T) {
	for path, want := range map[string]string{
		"/inbox/ibx_x/req_1": "/inbox/…", "/letters/req_1/k": "/letters/…", "/join/jns_x": "/join/…", "/publishers/a/": "/publishers/a/",
	} {
		assert.Equal(t, exports.WithoutSecret(path), want, "%s", path)
	}
}

func TestPolicyOf(t *testing.T) {
	const page, forever = "public, max-age=300, stale-while-revalidate=86400", "public, max-age=31536000, immutable"
	for key, want := range map[exports.Key]exports.Policy{
		"index.html":                            {ContentType: exports.MediaHTML, CacheControl: page, Vary: "accept-encoding"},
		"nothing.known":                         {ContentType: "application/octet-stream", CacheControl: page, Vary: "accept-encoding"},
		"ledger/checkpoint":                     {ContentType: exports.MediaText, CacheControl: "public, max-age=5", Vary: "accept-encoding", Undated: true},
		"ledger/policy":                         {ContentType: exports.MediaText, CacheControl: page, Vary: "accept-encoding", Undated: true},
		"ledger/tile/0/x001/067":                {ContentType: "application/octet-stream", CacheControl: forever, Whole: true, Undated: true},
		"assets/card.png":                       {ContentType: "image/png", CacheControl: forever, Whole: true, Undated: true},
		"assets/site.css":                       {ContentType: "text/css; charset=utf-8", CacheControl: forever, Vary: "accept-encoding", Undated: true},
		"_packs/x.nd":                           {ContentType: "application/octet-stream", CacheControl: forever, Whole: true, Undated: true},
		"v1/_withdrawn.json":                    {ContentType: exports.MediaJSON, CacheControl: "public, max-age=5", Vary: "accept-encoding"},
		"v1/public/range/ab":                    {ContentType: "application/octet-stream", CacheControl: page, Whole: true},
		".well-known/ai-catalog.json":           {ContentType: "application/ai-catalog+json", CacheControl: page, Vary: "accept-encoding"},
		"v1/public/citations/ent_x.json":        {ContentType: exports.MediaJSON, CacheControl: page, Vary: "accept, accept-encoding"},
		"v1/public/license-catalog/lic.rsl.xml": {ContentType: "application/rsl+xml; charset=utf-8", CacheControl: page, Vary: "accept-encoding"},
		"v1/public/release/croissant.json":      {ContentType: exports.MediaJSONLD, CacheControl: page, Vary: "accept-encoding"},
		"v1/public/ai-rights-map.csv":           {ContentType: exports.MediaCSV, CacheControl: page, Disposition: `attachment; filename="ai-rights-map.csv"`, Vary: "accept-encoding", Ranges: true},
		"v1/public/release/pages.parquet":       {ContentType: "application/vnd.apache.parquet", CacheControl: page, Ranges: true, Whole: true},
	} {
		assert.Equal(t, exports.PolicyOf(key), want, "%s", key)
	}
}
