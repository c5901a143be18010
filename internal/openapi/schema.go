package openapi

import (
	_ "embed" // the schemas
	"strings"
	"sync"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/manifest"
	"colophon/internal/wire"
)

// named is a record whose schema is a component.
type named struct {
	name   string
	record wire.Record
}

// answeredRecords returns the records that answers are made of. Where one of
// them is part of another, the other refers to it.
func answeredRecords() []named {
	return []named{
		{"publisher", &exports.Publisher{}},
		{"publisher_summary", &exports.PublisherSummary{}},
		{"publisher_hit", &exports.PublisherHit{}},
		{"preference", &exports.Preference{}},
		{"entry", &exports.Entry{}},
		{"inventory_item", &exports.InventoryItem{}},
		{"inventory_facts", &exports.InventoryFacts{}},
		{"feed_record", &exports.FeedRecord{}},
		{"search_hit", &exports.SearchHit{}},
		{"match", &exports.Match{}},
		{"category", &exports.Category{}},
		{"demand", &exports.Demand{}},
		{"stats", &exports.Stats{}},
		{"offer", &exports.Offer{}},
		{"record", &exports.Record{}},
		{"passport", &exports.Passport{}},
		{"citation", &exports.Citation{}},
		{"csl", &exports.CSL{C: &exports.Citation{}}},
		{"map_record", &exports.MapRecord{}},
		{"agent_group", &exports.AgentGroup{}},
		{"agent_use", &exports.AgentUse{}},
		{"agent_warning", &exports.AgentWarning{}},
		{"policy", &exports.PolicyRef{}},
		{"release", &exports.Release{}},
		{"page", &exports.Page{}},
		{"page_links", &exports.PageLinks{}},
		{"rights_answer", &exports.RightsAnswer{}},
		{"rights_batch_answer", &exports.RightsBatchAnswer{}},
		{"use_report_receipt", &exports.UseReportReceipt{}},
		{"rights_batch_result", &exports.RightsBatchResult{}},
		{"batch_verdict", &exports.BatchVerdict{}},
		{"batch_use", &exports.BatchUse{}},
		{"resource_rights", &exports.ResourceRights{}},
		{"use_verdict", &exports.UseVerdict{}},
		{"rights_query", &exports.RightsQuery{}},
		{"evidence", &exports.Evidence{}},
		{"receipt", &exports.Receipt{}},
		{"sandbox_result", &exports.SandboxRun{}},
		{"partner_status", &inquiries.PartnerStatus{}},
		{"partner_view", &inquiries.PartnerView{}},
		{"partner_request_list", &inquiries.PartnerList{}},
		{"prepared_intent", &inquiries.PreparedIntent{}},
		{"payload", &inquiries.Payload{}},
		{"request_receipt", &inquiries.RequestReceipt{}},
		{"conversation_access", &inquiries.Conversation{}},
		{"conversation", &inquiries.Thread{}},
		{"conversation_message", &inquiries.Message{}},
		{"posted_message", &inquiries.PostedMessage{}},
		{"rotated_token", &inquiries.RotatedToken{}},
		{"indicative_terms", &inquiries.IndicativeTerms{}},
		{"step", &inquiries.Step{}},
		{"procurement", &inquiries.Procurement{}},
		{"verification", &exports.Verification{}},
		{"ledger_row", &exports.LedgerRow{}},
		{"resolved_citation", &exports.Resolution{}},
		{"candidate", &exports.Candidate{}},
		{"similar", &exports.Similar{}},
		{"similar_candidate", &exports.SimilarCandidate{}},
		{"mcp_endpoint", &exports.MCPEndpoint{}},
		{"item_list", &exports.ItemList{}},
		{"item", &exports.Item{}},
		{"item_rights", &exports.ItemRights{}},
		{"licensed_source", &exports.LicensedSource{}},
		{"licensed_sources", &exports.LicensedSources{}},
		{"licensed_overview", &exports.LicensedOverview{}},
		{"withheld", &exports.Withheld{}},
		{"tombstone", &exports.Tombstone{}},
		{"upsert", &exports.Upsert{}},
		{"rights_change", &exports.RightsChange{}},
		{"checkpoint", &exports.Checkpoint{}},
		{"feed_end", &exports.FeedEnd{}},
		{"snapshot_created", &exports.Snapshot{}},
		{"boundary", &manifest.Boundary{}},
		{"access_rules", &manifest.AccessRules{}},
		{"public_key", &manifest.PublicKey{}},
		{"discovery_manifest", &manifest.Discovery{}},
		{"developer_manifest", &manifest.Developer{}},
		{"intent_manifest", &manifest.Intent{}},
		{"agent_manifest", &manifest.Agent{}},
		{"access_manifest", &manifest.AccessResponse{}},
		{"provenance_manifest", &manifest.Provenance{}},
		{"ledger_manifest", &manifest.Ledger{}},
		{"map_manifest", &manifest.Map{}},
		{"category_list", &exports.CategoryList{}},
		{"category_detail", exports.CategoryListing(&exports.Category{})},
		{"publisher_list", &exports.PublisherList{}},
		{"publisher_hit_list", &exports.List[exports.PublisherHit, *exports.PublisherHit]{}},
		{"inventory", exports.InventoryListing(&exports.InventoryFacts{})},
		{"search", &exports.SearchList{}},
		{"feed", &exports.List[exports.FeedRecord, *exports.FeedRecord]{}},
		{"demand_list", &exports.List[exports.Demand, *exports.Demand]{}},
		{"offer_list", &exports.List[exports.Offer, *exports.Offer]{}},
		{"record_list", &exports.List[exports.Record, *exports.Record]{}},
		{"ledger_list", &exports.List[exports.LedgerRow, *exports.LedgerRow]{}},
		{"map", rightsMap()},
		{"problem", &exports.Problem{}},
	}
}

func rightsMap() wire.Record {
	l := &exports.List[exports.MapRecord, *exports.MapRecord]{}
	l.Extra = func(m *wire.Members) { m.Const("readiness_note", exports.ReadinessNote) }
	return l
}

// Schemas returns the component schemas: those of records come from the
// records. They are made once, and not to be changed.
func Schemas() []wire.Member { return madeSchemas() }

var madeSchemas = sync.OnceValue(makeSchemas)

func makeSchemas() []wire.Member {
	list := answeredRecords()
	inline := make([]wire.Value, len(list))
	names := make(map[string]string, len(list))
	for i := range list {
		inline[i] = wire.Schema(list[i].record, true)
		names[string(inline[i].Append(nil))] = list[i].name
	}
	out := make([]wire.Member, 0, len(list))
	for i := range list {
		schema := replaceWithRefs(inline[i], list[i].name, names)
		switch list[i].name {
		case "problem":
			schema = widenProblem(schema)
		case "receipt":
			schema = schema.With("properties", schema.Get("properties").With("payload", schemaRef("receipt_payload")))
		}
		out = append(out, jsonMember(list[i].name, schema))
	}
	for _, m := range writtenSchemas().Members {
		if m.Name != "problem" {
			out = append(out, m)
		}
	}
	for _, name := range []string{"intent", "public_request", "partner_request", "message", "snapshot"} {
		if body, ok := inquiries.BodySchema(name); ok {
			out = append(out, jsonMember(name, body))
		}
	}
	return append(out,
		jsonMember("public_request_form", formSchema()),
		jsonMember("rights_batch", wire.Schema(&exports.RightsBatch{}, false)),
		jsonMember("sandbox_run", wire.Schema(&exports.SandboxInput{}, false)),
	)
}

// schemaFile has the schemas that no record of this program has: answers of one of
// several records, documents whose shape another standard gives, what a receipt signs,
// and the members of a problem that only some codes have. Lists of words are named
// between percent signs.
//
//go:embed schemas.json
var schemaFile string

var writtenSchemas = sync.OnceValue(func() wire.Value {
	text := schemaFile
	for name, words := range map[string][]string{
		"denial reasons": exports.DenialReasons, "partner scopes": exports.PartnerScopes, "route relations": exports.RouteRels, "verdicts": exports.Verdicts,
	} {
		text = strings.ReplaceAll(text, `"%`+name+`%"`, string(strs(words...).Append(nil)))
	}
	v, err := wire.Parse([]byte(text), wire.Trusted)
	if err != nil {
		panic("internal/openapi: schemas.json: " + err.Error()) // it is part of the program
	}
	return v
})

// replaceWithRefs replaces schemas that are components by references to them; self
// is the current component.
func replaceWithRefs(v wire.Value, self string, names map[string]string) wire.Value {
	if v.Kind == wire.KindObject && v.Get("properties") != nil {
		if name := names[string(v.Append(nil))]; name != "" && name != self {
			return schemaRef(name)
		}
		self = "" // the same shape further down is a reference
	}
	out := v
	out.Members = make([]wire.Member, 0, len(v.Members))
	for _, member := range v.Members {
		out.Members = append(out.Members, jsonMember(member.Name, replaceWithRefs(member.Value, self, names)))
	}
	out.Items = make([]wire.Value, 0, len(v.Items))
	for _, item := range v.Items {
		out.Items = append(out.Items, replaceWithRefs(item, self, names))
	}
	return out
}

// widenProblem lets hosts answer before the service does: their problems have
// no links, and a null where nothing is known about a retry. It also names the
// members that only some codes have.
func widenProblem(schema wire.Value) wire.Value {
	properties := *schema.Get("properties")
	retry := *properties.Get("retry")
	retryMembers := *retry.Get("properties")
	retryMembers = retryMembers.With("after_seconds", obj(jsonMember("type", strs("integer", "null")), jsonMember("minimum", wire.Int(1))))
	retryMembers = retryMembers.With("same_idempotency_key", obj(jsonMember("type", str("boolean"))))
	properties = properties.With("retry", retry.With("properties", retryMembers))
	written := writtenSchemas()
	for _, extra := range written.Get("problem").Get("properties").Members {
		properties = properties.With(extra.Name, extra.Value)
	}
	required := strs("code", "grants_rights", "instance", "request_id", "retry", "status", "title", "type")
	return schema.With("properties", properties).With("required", required)
}

// formSchema returns the public request as a form of a page sends it.
func formSchema() wire.Value {
	body := wire.Schema(&inquiries.PublicRequest{}, false)
	properties := *body.Get("properties")
	for _, name := range []string{"agent", "ext", "intent_digest", "locale"} {
		properties = properties.Without(name)
	}
	trap := obj(jsonMember("type", str("string")), jsonMember("description", str("Leave it empty: what people do not see, robots fill.")))
	return body.With("properties", properties.With("website", trap)).Without("additionalProperties")
}
