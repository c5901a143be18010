package worker

import (
	"context"

	"colophon/internal/catalog"
	"colophon/internal/delivery"
	"colophon/internal/inquiry"
	"colophon/internal/rights"
	"colophon/internal/usereport"
	"colophon/worker/api"
	"colophon/worker/auth"
	"colophon/worker/buyer"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/inbox"
	"colophon/worker/intake"
	"colophon/worker/joining"
	"colophon/worker/limit"
	"colophon/worker/mcp"
	"colophon/worker/partner"
	"colophon/worker/request"
	"colophon/worker/rightscheck"
	"colophon/worker/shell"
	"colophon/worker/web"
)

// newHandlers builds the services from their dependencies and returns their
// handlers.
func newHandlers(d *Deps, pages *shell.Pages, index *catalog.Reader, sandbox edge.Handler) map[string]request.Handler {
	limits := &d.Limits
	keys := &auth.Service{Partners: d.Origin, Buyers: d.Origin, Joins: d.Origin, Limits: limits, Secret: d.Secret, Now: d.Now}
	inquiries := inquiry.Service{Now: d.Now, Rand: d.Rand}
	if d.Origin != nil && len(d.Secret) > 0 {
		keys.Conversations, keys.Inboxes, inquiries.Store = d.Origin, d.Origin, d.Origin
	}
	buyers := newBuyers(d, keys)
	buyers.Reports = usereport.Service{Store: d.Origin, Now: d.Now}
	check := &rightscheck.Service{Rights: d.Origin, Documents: d.Documents, Catalog: index, Files: pages.Files, Signer: d.Signer, Now: d.Now, Log: d.Log}
	if buyers.Delivery != nil {
		check.Grants = keys
	}
	spam := &intake.AntiSpam{BaseURL: d.BaseURL, ProofBits: d.ProofBits, Keys: d.Signers, Counters: d.Origin, Limits: limits, Now: d.Now, Rand: d.Rand}
	intakes := &intake.Service{Letters: d.Letters, Inquiries: inquiries, Sites: d.Origin, Spam: spam, Tokens: keys, Limits: limits, Files: pages.Files, Log: d.Log}
	all := &services{
		api:      &api.Service{BaseURL: d.BaseURL, Catalog: index, Files: pages.Files, Rights: check, Verify: d.Verify, Sandbox: sandbox, Now: d.Now},
		buyers:   buyers,
		inbox:    &inbox.Service{Inquiries: inquiries, Sites: d.Origin, Links: keys, Answers: d.Origin, Reports: d.Origin, Limits: limits, Pages: pages},
		letters:  &inbox.Letters{Secret: d.Secret, Receivers: d.Origin, Inquiries: inquiries, Sites: d.Origin, Limits: limits, Pages: pages},
		intake:   intakes,
		forms:    &intake.Forms{Service: intakes, Pages: pages, Catalog: index},
		joining:  &joining.Service{Joins: d.Origin, Needs: d.Origin, Keys: keys, Limits: limits, Pages: pages, Look: d.LookAt, Now: d.Now, Rand: d.Rand},
		limits:   limits,
		mcp:      newMCP(d, pages.Files, index, buyers, check),
		partners: &partner.Service{Keys: keys, Limits: limits, Catalog: index, Files: pages.Files, Requests: d.Origin, Intake: intakes, Reports: buyers.Reports, Now: d.Now},
		rights:   check,
		status:   &web.Status{Pages: pages, Sites: d.Origin, Requests: d.Origin, Joins: d.Origin, Now: d.Now},
		web:      &web.Service{Catalog: index, Pages: pages, Rights: check, Limits: limits, Unregistered: d.ReadUnregistered, TextCode: d.TextCode, Now: d.Now},
	}
	return all.handlers()
}

// newBuyers returns the service for buyers. It has no delivery if this server
// holds no licensed content.
func newBuyers(d *Deps, keys buyer.Keys) *buyer.Service {
	b := &buyer.Service{BaseURL: d.BaseURL, Keys: keys, Limits: &d.Limits, Now: d.Now, Log: d.Log}
	if d.Origin != nil {
		b.Delivery = &delivery.Service{
			Buyers: d.Origin, Store: d.Origin, Bodies: rights.NewBodyStore(d.Origin, d.Objects, d.Now), Now: d.Now, Rand: d.Rand, Signer: d.Signer, Budget: d.Budget,
		}
	}
	return b
}

// newMCP returns the endpoints of the Model Context Protocol, whose tools call
// the REST endpoints.
func newMCP(d *Deps, assets *files.Service, index *catalog.Reader, buyers *buyer.Service, check *rightscheck.Service) *mcp.Server {
	queries, gateway := d.Queries, d.Gateway
	if queries == nil {
		queries = mcp.Index{Catalog: index}
	}
	if gateway == nil && buyers.Delivery != nil {
		gateway = buyer.Gateway{Service: buyers, Index: index, Sites: d.Origin}
	}
	return mcp.New(mcp.Config{
		BaseURL: d.BaseURL, Catalog: &mcp.Files{Service: assets, Queries: queries}, Gateway: gateway, Allow: d.Limits.Allow,
		CheckRights: check.CheckParams, Log: d.Log,
	})
}

// services are the services to which the router passes requests.
type services struct {
	api      *api.Service
	buyers   *buyer.Service
	forms    *intake.Forms
	inbox    *inbox.Service
	intake   *intake.Service
	joining  *joining.Service
	letters  *inbox.Letters
	limits   *limit.Limits
	mcp      *mcp.Server
	partners *partner.Service
	rights   *rightscheck.Service
	status   *web.Status
	web      *web.Service
}

// limited wraps a handler that needs no credential: it counts calls by the
// caller's address against the policy of the endpoint.
func (s *services) limited(h request.Handler) request.Handler {
	return func(ctx context.Context, c *request.Call) (*edge.Response, error) {
		return s.limits.Answer(ctx, s.limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return h(ctx, c) })
	}
}

// handlers returns the handlers of the rows of exports.Surface and
// exports.Pages, by operation id. A row without a handler is answered from its
// published file.
func (s *services) handlers() map[string]request.Handler {
	return map[string]request.Handler{
		"search_content_catalog":  s.api.Search,
		"get_publisher_inventory": s.api.Inventory,
		"site_records":            s.api.SiteRecords,
		"licensing_feed":          s.api.Feed,
		"licensing_feed_ndjson":   s.api.FeedLines,
		"buyer_demand":            s.api.Demand,
		"license_catalog":         s.api.LicenseCatalog,
		"ledger_search":           s.api.LedgerSearch,
		"resolve_citation":        s.api.Resolve,
		"similar_citations":       s.limited(s.api.Similar),
		"rights_check":            s.limited(s.rights.Check),
		"rights_check_batch":      s.limited(s.rights.Batch),
		"get_citation":            s.api.Citation,
		"ai_rights_map":           s.api.RightsMap,
		"verify_record":           s.limited(s.api.VerifyRecord),
		"sandbox_run":             s.limited(s.api.RunSandbox),
		"prepare_intent":          s.limited(s.api.PrepareIntent),
		"create_request":          s.forms.CreateRequest,
		"get_conversation":        s.intake.Open(s.intake.Conversation, "thread"),
		"procurement_view":        s.intake.Open(s.intake.Procurement, "thread"),
		"post_message":            s.intake.Open(s.intake.PostMessage, "thread", "thread-post"),
		"partner_status":          s.partners.Identify(s.partners.Status),
		"partner_catalog_search":  s.partners.Identify(s.partners.Search),
		"partner_categories":      s.partners.Identify(s.partners.Categories),
		"partner_publisher":       s.partners.Identify(s.partners.Publisher),
		"partner_create_request":  s.partners.Identify(s.partners.CreateRequest),
		"partner_list_requests":   s.partners.Identify(s.partners.ListRequests),
		"partner_get_request":     s.partners.Identify(s.partners.GetRequest),
		"delivery_items":          s.buyers.Identify(s.buyers.Items),
		"delivery_feed":           s.buyers.Identify(s.buyers.Feed),
		"delivery_snapshot":       s.buyers.Identify(s.buyers.Snapshot),
		"delivery_delta":          s.buyers.Identify(s.buyers.Delta),
		"delivery_report_use":     s.buyers.ReportUse,
		"partner_report_use":      s.partners.Identify(s.partners.ReportUse),
		"mcp":                     s.mcpPublic,
		"mcp_gateway":             s.mcpGateway,
		"mcp_publisher":           s.mcpPublisher,
		"mcp_publisher_metadata":  s.mcpPublisher,

		"catalog_page":      s.web.CatalogPage,
		"check_page":        s.web.CheckPage,
		"check_form":        s.limited(s.web.CheckForm),
		"demand_page":       s.web.FinderPage,
		"ledger_page":       s.web.LedgerPage,
		"offers_page":       s.web.FinderPage,
		"publishers_page":   s.web.FinderPage,
		"request_page":      s.web.RequestPage,
		"map_page":          s.web.FinderPage,
		"shortlist_page":    s.forms.ShortlistPage,
		"shortlist_form":    s.forms.Shortlist,
		"status_page":       s.status.Page,
		"conversation_page": s.forms.ConversationPage,
		"need_form":         s.joining.Need,
		"join_form":         s.joining.Join,
		"join_page":         s.joining.Join,
		"inbox_page":        s.inbox.Page,
		"letters_page":      s.letters.Page,
		"citation_bib":      s.api.CitationFile,
		"citation_csl":      s.api.CitationFile,
		"citation_ris":      s.api.CitationFile,
		"resource_metadata": s.api.ResourceMetadata,
		"no_auth_server":    s.api.NoAuthServer,
	}
}

func (s *services) mcpPublic(ctx context.Context, c *request.Call) (*edge.Response, error) {
	return s.mcp.Public(ctx, c.Request), nil
}

func (s *services) mcpGateway(ctx context.Context, c *request.Call) (*edge.Response, error) {
	return s.mcp.Buyers(ctx, c.Request), nil
}

func (s *services) mcpPublisher(ctx context.Context, c *request.Call) (*edge.Response, error) {
	return s.mcp.Publisher(ctx, c.Request, c.Params["site_id"]), nil
}
