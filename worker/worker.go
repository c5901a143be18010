// Package worker answers requests: it routes by the endpoint table of exports,
// reads published files through Assets, asks the origin only where an answer
// must be live, and turns every failure into one problem document. The same
// handlers run inside the Workers runtime and in the native server.
package worker

import (
	"context"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	provrecord "colophon/internal/record"
	"colophon/internal/withdrawn"
	"colophon/worker/access"
	"colophon/worker/auth"
	"colophon/worker/delivery"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/mcp"
	"colophon/worker/request"
)

// Assets reads published files.
type Assets interface {
	// Read returns a whole file; a missing one is fs.ErrNotExist.
	Read(ctx context.Context, key string) ([]byte, error)
}

// LookAt looks at a site that wants to join; not ok, nobody can look now. It
// reaches no private address.
type LookAt func(ctx context.Context, host string) (found exports.JoinFound, ok bool)

// Receivers are who gets notifications.
type Receivers interface {
	// Webhook returns one receiver or origin.ErrNotFound.
	Webhook(ctx context.Context, webhookID string) (origin.Webhook, error)
	// PutWebhook adds or replaces one.
	PutWebhook(ctx context.Context, w origin.Webhook) error
}

// LookLive looks at what a page that nobody registered, and its host, state about
// rights now; not ok, nobody can look. It reaches no private address and obeys
// robots.txt.
type LookLive func(ctx context.Context, url string) (found []origin.Evidence, ok bool)

// Deps is everything that the worker needs from outside. A nil store means
// that the endpoints which need it answer 503.
type Deps struct {
	BaseURL string           // absolute, without a final slash
	Assets  Assets           // published files
	Now     func() time.Time // the clock
	Rand    io.Reader        // unpredictable bytes
	Limits  limit.Limits     // of calls; New gives it the Secret
	Log     func(line string)
	Verify  provrecord.VerifyFunc // provenance.Ed25519, or the platform's own

	// The rights check. Without an origin it answers from published files.
	Rights origin.Rights
	Grants Grants            // licences of buyers; nil: those of the delivery, if there is one
	Signer provrecord.Signer // of receipts and checkpoints; nil: they are not signed

	// The inquiry bridge and the partner API.
	Secret      []byte      // key of derived tokens and challenges, at least 32 bytes
	ProofBits   int         // difficulty of a proof of work; 0: 18
	Signers     access.Keys // of agents that sign their requests; nil: nobody is spared the proof
	Sites       origin.SiteReader
	Inquiries   inquiry.Store // requests and their conversations
	PartnerKeys origin.PartnerKeys
	InboxLinks  origin.InboxLinks
	Joins       origin.Joins
	Receivers   Receivers
	Letters     bool     // letters are sent to those who ask
	Needs       Needs    // what buyers look for
	LookAt      LookAt   // what is at a site that wants to join; nil: the operator looks
	LookLive    LookLive // what a page states that nobody registered; nil: the operator does not allow it
	Counters    origin.Counters

	TextCode func(text string) string // the ISCC Text-Code of a text, "" too short for one; nil: texts are found only when they are whole

	Origins []string    // further origins from which browsers may use MCP
	Queries mcp.Queries // the search index; nil: MCP tools do not search
	Gateway mcp.Gateway // licensed content; nil: that of the delivery, if there is one

	// The delivery of licensed content.
	Buyers   origin.BuyerReader
	Delivery origin.Delivery
	Bodies   origin.Bodies                                         // opened by permits alone
	Objects  func(ctx context.Context, key string) ([]byte, error) // bodies that the store does not hold; nil: none
	Budget   delivery.Budget                                       // zero: no bound but those of the endpoints

	auth      *auth.Service
	catalog   *catalog.Catalog
	mcp       *mcp.Server
	licensed  *delivery.Service
	sandbox   edge.Handler
	inSandbox bool
}

// handler answers one endpoint; an error becomes a problem document.
type handler func(ctx context.Context, c *call) (*edge.Response, error)

// call is one request on its way, with what its handler may ask.
type call struct {
	*request.Call
	deps *Deps
}

// New returns the handler of the whole service. It answers with nothing that is withdrawn.
func New(d Deps) edge.Handler {
	if !d.inSandbox {
		d.Assets = withdrawn.Files{Source: d.Assets}
	}
	d.Limits.Secret = d.Secret
	d.auth = &auth.Service{Partners: d.PartnerKeys, Buyers: d.Buyers, Joins: d.Joins, Limits: &d.Limits, Secret: d.Secret, Now: d.Now}
	if d.Inquiries != nil && d.Sites != nil && len(d.Secret) > 0 {
		d.auth.Conversations, d.auth.Inboxes = d.Inquiries, d.InboxLinks
	}
	d.catalog = catalog.New(d.Assets, d.Now)
	if d.Queries == nil {
		d.Queries = tools{d.catalog}
	}
	if d.licensed = newDelivery(&d); d.licensed != nil && d.Gateway == nil {
		d.Gateway = gateway{&d}
	}
	if d.licensed != nil && d.Grants == nil {
		d.Grants = buyerGrants{&d}
	}
	d.mcp = newMCP(&d)
	if !d.inSandbox {
		d.sandbox = newSandbox(&d)
	}
	w := &router{deps: d, table: dynamicHandlers()}
	return w.handleRequest
}

// limitCaller makes a handler of one that needs no credential: its calls are
// counted for the address of the caller, against the policy of the endpoint.
func limitCaller(h handler) handler {
	return func(ctx context.Context, c *call) (*edge.Response, error) {
		return c.deps.Limits.Answer(ctx, c.deps.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return h(ctx, c) })
	}
}

// dynamicHandlers are the handlers of the rows of exports.Surface and exports.Pages,
// by operation id. What is missing here and is a published file is answered from the
// file.
func dynamicHandlers() map[string]handler {
	return map[string]handler{
		"search_content_catalog":  searchCatalog,
		"get_publisher_inventory": serveInventory,
		"site_records":            siteRecords,
		"licensing_feed":          licensingFeed,
		"licensing_feed_ndjson":   licensingFeedLines,
		"buyer_demand":            buyerDemand,
		"license_catalog":         licenseCatalog,
		"ledger_search":           ledgerSearch,
		"resolve_citation":        resolveCitation,
		"similar_citations":       limitCaller(similarCitations),
		"rights_check":            limitCaller(rightsCheck),
		"rights_check_batch":      limitCaller(rightsBatch),
		"get_citation":            serveCitation,
		"ai_rights_map":           rightsMap,
		"verify_record":           limitCaller(verifyRecord),
		"sandbox_run":             limitCaller(sandboxRun),
		"prepare_intent":          limitCaller(prepareIntent),
		"create_request":          createRequest,
		"get_conversation":        conversationHandler(getConversation),
		"procurement_view":        conversationHandler(procurementView),
		"post_message":            postMessage,
		"partner_status":          partnerHandler(partnerStatus),
		"partner_catalog_search":  partnerHandler(partnerCatalog),
		"partner_categories":      partnerHandler(partnerCategories),
		"partner_publisher":       partnerHandler(partnerPublisher),
		"partner_create_request":  partnerHandler(partnerCreate),
		"partner_list_requests":   partnerHandler(partnerList),
		"partner_get_request":     partnerHandler(partnerGet),
		"delivery_items":          buyerHandler(deliveryItems),
		"delivery_feed":           buyerHandler(deliveryFeed),
		"delivery_snapshot":       buyerHandler(deliverySnapshot),
		"delivery_delta":          buyerHandler(deliveryDelta),
		"mcp":                     mcpPublic,
		"mcp_gateway":             mcpGateway,
		"mcp_publisher":           mcpPublisher,
		"mcp_publisher_metadata":  mcpPublisher,

		"catalog_page":      catalogPage,
		"check_page":        checkPage,
		"check_form":        limitCaller(postCheck),
		"demand_page":       finderPage,
		"ledger_page":       ledgerPage,
		"offers_page":       finderPage,
		"publishers_page":   finderPage,
		"request_page":      requestPage,
		"map_page":          finderPage,
		"shortlist_page":    shortlistPage,
		"shortlist_form":    postShortlist,
		"status_page":       statusPage,
		"conversation_page": talkPage,
		"need_form":         needPage,
		"join_form":         joinPage,
		"join_page":         joinPage,
		"inbox_page":        inboxPage,
		"letters_page":      lettersPage,
		"citation_bib":      citeFile,
		"citation_csl":      citeFile,
		"citation_ris":      citeFile,
		"resource_metadata": resourceMetadata,
		"no_auth_server":    noAuthServer,
	}
}

// Serves reports whether an operation has a handler or is a published file,
// for the coverage test.
func Serves(e exports.Endpoint) bool {
	return e.Made == exports.Static || dynamicHandlers()[e.ID] != nil
}
