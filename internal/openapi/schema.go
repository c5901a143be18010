package openapi

import (
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
	out = append(out, unionSchemas()...)
	out = append(out, foreignSchemas()...)
	return append(out, bodySchemas()...)
}

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
	for _, extra := range problemExtras() {
		properties = properties.With(extra.Name, extra.Value)
	}
	required := strs("code", "grants_rights", "instance", "request_id", "retry", "status", "title", "type")
	return schema.With("properties", properties).With("required", required)
}

// problemExtras returns the members that only some codes have.
func problemExtras() []wire.Member {
	return []wire.Member{
		jsonMember("access_response", accessSchema()),
		jsonMember("challenge", obj(
			jsonMember("type", str("object")),
			jsonMember("description", str("With anti_spam_challenge: the proof of work that is asked for.")),
			jsonMember("required", strs("algorithm", "difficulty", "expires_at", "nonce", "signature")),
			jsonMember("properties", obj(
				jsonMember("algorithm", obj(jsonMember("const", str("sha-256-leading-zero-bits")))),
				jsonMember("difficulty", obj(jsonMember("type", str("integer")), jsonMember("minimum", wire.Int(0)))),
				jsonMember("expires_at", obj(jsonMember("type", str("string")), jsonMember("format", str("date-time")))),
				jsonMember("nonce", textSchema),
				jsonMember("signature", textSchema),
			)),
		)),
		jsonMember("current_state", obj(jsonMember("type", str("string")), jsonMember("description", str("With state_conflict: the state of the request.")))),
		jsonMember("required_scope", obj(jsonMember("enum", strs(exports.PartnerScopes...)), jsonMember("description", str("With scope_missing: the scope of the endpoint.")))),
		jsonMember("violated-policies", obj(jsonMember("type", str("array")), jsonMember("items", textSchema), jsonMember("description", str("With quota_exceeded: the quotas that are used up.")))),
	}
}

// accessSchema returns the denial of a buyer without a right, a member of the
// problem: see worker/access.
func accessSchema() wire.Value {
	maybe := func(word string) wire.Value { return obj(jsonMember("type", strs(word, "null"))) }
	object := func(properties ...wire.Member) wire.Value {
		return obj(jsonMember("type", str("object")), jsonMember("properties", obj(properties...)))
	}
	objects := obj(jsonMember("type", str("array")), jsonMember("items", obj(jsonMember("type", str("object")))))
	texts := obj(jsonMember("type", str("array")), jsonMember("items", textSchema))
	route := object(
		jsonMember("auth", textSchema),
		jsonMember("binding", obj(jsonMember("const", wire.Bool(false)))),
		jsonMember("body", object(jsonMember("requested_use", textSchema), jsonMember("resource", textSchema))),
		jsonMember("content_type", textSchema),
		jsonMember("href", textSchema),
		jsonMember("method", textSchema),
		jsonMember("rel", obj(jsonMember("enum", strs(exports.RouteRels...)))),
		jsonMember("schema", textSchema),
	)
	schema := object(
		jsonMember("agent", object(jsonMember("class", textSchema), jsonMember("identity", textSchema), jsonMember("product_token", maybe("string")))),
		jsonMember("decision", obj(jsonMember("const", str("deny")))),
		jsonMember("offers", objects),
		jsonMember("policy", maybe("object")),
		jsonMember("price", maybe("object")),
		jsonMember("reason_code", obj(jsonMember("enum", strs(exports.DenialReasons...)))),
		jsonMember("receipt", maybe("object")),
		jsonMember("requested_use", object(jsonMember("source", textSchema), jsonMember("value", maybe("string")))),
		jsonMember("resource", obj(jsonMember("type", strs("object", "null")), jsonMember("properties", obj(jsonMember("url", textSchema))))),
		jsonMember("retry", object(jsonMember("after_seconds", maybe("integer")), jsonMember("change", texts), jsonMember("same_request", textSchema))),
		jsonMember("routes", obj(jsonMember("type", str("array")), jsonMember("items", route.With("required", strs("rel", "method", "href", "auth"))))),
		jsonMember("signals", maybe("object")),
		jsonMember("uses", obj(jsonMember("type", str("array")), jsonMember("items", object(
			jsonMember("retention", textSchema), jsonMember("use", textSchema), jsonMember("verdict", obj(jsonMember("enum", strs(exports.Verdicts...)))),
		)))),
		jsonMember("version", obj(jsonMember("const", str("service.access-response.v1")))),
	)
	schema = schema.With("required", strs("decision", "reason_code", "routes", "version"))
	return schema.With("description", str("With grant_inactive: why, and the routes to a licence."))
}

// unionSchemas are answers of one of several records.
func unionSchemas() []wire.Member {
	one := func(names ...string) wire.Value {
		refs := make([]wire.Value, 0, len(names))
		for _, n := range names {
			refs = append(refs, schemaRef(n))
		}
		return obj(jsonMember("anyOf", arr(refs...)))
	}
	return []wire.Member{
		jsonMember("receipt_payload", receiptPayload()),
		jsonMember("posted_message_or_token", one("posted_message", "rotated_token")),
		jsonMember("tool_answer", one(
			"search", "category_list", "category_detail", "publisher_list", "publisher", "inventory", "stats", "rights_answer",
			"licensed_overview", "licensed_sources", "item_list", "item",
		)),
		jsonMember("feed_line", one("item", "tombstone", "withheld", "feed_end")),
		jsonMember("delta_line", one("upsert", "tombstone", "rights_change", "checkpoint")),
	}
}

// foreignSchemas returns the schemas of documents whose shape another standard
// gives.
func foreignSchemas() []wire.Member {
	version := jsonMember("jsonrpc", obj(jsonMember("const", str("2.0"))))
	id := jsonMember("id", obj(jsonMember("type", strs("string", "integer"))))
	fault := obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("code", "message")),
		jsonMember("properties", obj(jsonMember("code", obj(jsonMember("type", str("integer")))), jsonMember("message", textSchema), jsonMember("data", obj()))),
	)
	failed := obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("error", "jsonrpc")),
		jsonMember("properties", obj(jsonMember("error", fault), id, version)),
	)
	succeeded := obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("id", "jsonrpc", "result")),
		jsonMember("properties", obj(id, version, jsonMember("result", obj(jsonMember("anyOf", arr(schemaRef("tool_result"), otherResult())))))),
	)
	return []wire.Member{
		jsonMember("tool_result", toolResult()),
		jsonMember("json_rpc_error", failed),
		jsonMember("json_rpc_result", succeeded),
		jsonMember("json_rpc_response", obj(jsonMember("anyOf", arr(schemaRef("json_rpc_result"), schemaRef("json_rpc_error"))))),
		jsonMember("intent_schema", obj(
			jsonMember("type", str("object")),
			jsonMember("description", str("A JSON Schema (draft 2020-12).")),
			jsonMember("required", strs("$schema", "$id", "$defs", "$ref", "grants_rights")),
			jsonMember("properties", obj(
				jsonMember("$schema", obj(jsonMember("const", str("https://json-schema.org/draft/2020-12/schema")))),
				jsonMember("$id", textSchema),
				jsonMember("title", textSchema),
				jsonMember("$ref", textSchema),
				jsonMember("$defs", obj(jsonMember("type", str("object")), jsonMember("additionalProperties", obj(jsonMember("type", str("object")))))),
				jsonMember("grants_rights", obj(jsonMember("const", wire.Bool(false)))),
			)),
		)),
	}
}

// toolResult returns what a call of an MCP tool comes to. Its structured
// content is a record of the service, absent where isError is true.
func toolResult() wire.Value {
	text := obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("text", "type")),
		jsonMember("properties", obj(jsonMember("text", textSchema), jsonMember("type", obj(jsonMember("const", str("text")))))),
	)
	return obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("content", "isError")),
		jsonMember("properties", obj(
			jsonMember("_meta", obj(jsonMember("type", str("object")))),
			jsonMember("content", obj(jsonMember("type", str("array")), jsonMember("items", text))),
			jsonMember("isError", obj(jsonMember("type", str("boolean")))),
			jsonMember("resultType", textSchema),
			jsonMember("structuredContent", schemaRef("tool_answer")),
		)),
	)
}

// otherResult returns the result of any other method of MCP, as that standard
// has it.
func otherResult() wire.Value {
	return obj(jsonMember("type", str("object")), jsonMember("not", obj(jsonMember("required", strs("content")))))
}

// bodySchemas returns those of request bodies.
func bodySchemas() []wire.Member {
	out := []wire.Member{
		jsonMember("json_rpc", obj(
			jsonMember("type", str("object")),
			jsonMember("required", strs("jsonrpc", "method")),
			jsonMember("properties", obj(
				jsonMember("id", obj(jsonMember("type", strs("string", "integer")), jsonMember("description", str("Absent in a notification.")))),
				jsonMember("jsonrpc", obj(jsonMember("const", str("2.0")))),
				jsonMember("method", obj(jsonMember("type", str("string")), jsonMember("minLength", wire.Int(1)))),
				jsonMember("params", obj(jsonMember("type", str("object")))),
			)),
		)),
		jsonMember("public_request_form", formSchema()),
		jsonMember("rights_batch", wire.Schema(&exports.RightsBatch{}, false)),
		jsonMember("sandbox_run", wire.Schema(&exports.SandboxInput{}, false)),
		jsonMember("use_report", useReportSchema()),
		jsonMember("verify", verifySchema()),
	}
	for _, name := range []string{"intent", "public_request", "partner_request", "message", "snapshot"} {
		if body, ok := inquiries.BodySchema(name); ok {
			out = append(out, jsonMember(name, body))
		}
	}
	return out
}

// receiptPayload returns what the receipt of a rights answer signs.
func receiptPayload() wire.Value {
	digest := obj(jsonMember("type", str("string")), jsonMember("pattern", str("^[0-9a-f]{64}$")))
	texts := obj(jsonMember("type", str("array")), jsonMember("items", textSchema))
	maybeText := obj(jsonMember("type", strs("string", "null")))
	instant := obj(jsonMember("type", str("string")), jsonMember("format", str("date-time")))
	closed := func(properties ...wire.Member) wire.Value {
		names := make([]string, 0, len(properties))
		for _, p := range properties {
			names = append(names, p.Name)
		}
		return obj(jsonMember("type", str("object")), jsonMember("required", strs(names...)), jsonMember("properties", obj(properties...)))
	}
	policy := closed(jsonMember("digest", textSchema), jsonMember("policy_id", textSchema), jsonMember("version", obj(jsonMember("type", str("integer")))))
	use := closed(jsonMember("reason", textSchema), jsonMember("use", textSchema), jsonMember("verdict", obj(jsonMember("enum", strs(exports.Verdicts...)))))
	candidate := closed(
		jsonMember("entry_id", maybeText),
		jsonMember("evidence", texts),
		jsonMember("policy", obj(jsonMember("anyOf", arr(policy, obj(jsonMember("type", str("null"))))))),
		jsonMember("rights_vector", textSchema),
		jsonMember("site_id", textSchema),
		jsonMember("url_sha256", digest),
		jsonMember("uses", obj(jsonMember("type", str("array")), jsonMember("items", use))),
	)
	return closed(
		jsonMember("answer_sha256", digest),
		jsonMember("basis", textSchema),
		jsonMember("candidates", obj(jsonMember("type", str("array")), jsonMember("items", candidate))),
		jsonMember("decision", obj(jsonMember("const", str("licence_answer")))),
		jsonMember("evaluated_at", instant),
		jsonMember("question", schemaRef("rights_query")),
		jsonMember("release", maybeText),
		jsonMember("valid_until", instant),
	)
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

// useReportSchema returns the part of a document of Content Telemetry that is
// read. What else it has is left aside.
func useReportSchema() wire.Value {
	event := obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("timestamp", "type")),
		jsonMember("properties", obj(
			jsonMember("content_id", obj(jsonMember("type", str("string")), jsonMember("description", str("Found if it is an entry of this registry.")))),
			jsonMember("content_url", obj(jsonMember("type", str("string")), jsonMember("description", str("Address of the page; required without content_id.")))),
			jsonMember("id", obj(jsonMember("type", str("string")), jsonMember("description", str("By which a repeated event is recognized; without it, by all of the event.")))),
			jsonMember("timestamp", obj(jsonMember("type", str("string")), jsonMember("format", str("date-time")))),
			jsonMember("type", obj(jsonMember("type", str("string")), jsonMember("description", str("content_retrieved, content_grounded, content_reproduced, content_cited, content_presented or content_engaged; others are ignored.")))),
		)),
	)
	return obj(
		jsonMember("type", str("object")),
		jsonMember("required", strs("schema_version")),
		jsonMember("properties", obj(
			jsonMember("agent_id", obj(jsonMember("type", str("string")), jsonMember("maxLength", wire.Int(120)))),
			jsonMember("document_type", obj(jsonMember("enum", strs("session", "event", "event_batch")))),
			jsonMember("event", event),
			jsonMember("events", obj(jsonMember("type", str("array")), jsonMember("maxItems", wire.Int(500)), jsonMember("items", event))),
			jsonMember("schema_version", obj(jsonMember("type", str("string")), jsonMember("description", str("A version 1, or the preview 0.1.")))),
			jsonMember("session_id", obj(jsonMember("type", str("string")))),
		)),
	)
}

// verifySchema returns a record itself, or an object with a record or an
// entry's id, and the text to compare with it.
func verifySchema() wire.Value {
	question := obj(
		jsonMember("type", str("object")),
		jsonMember("additionalProperties", wire.Bool(false)),
		jsonMember("properties", obj(
			jsonMember("check_live", obj(jsonMember("type", str("boolean")))),
			jsonMember("entry_id", obj(jsonMember("type", str("string")), jsonMember("description", str("A published record; needs text.")))),
			jsonMember("record", obj(jsonMember("description", str("The record to verify.")))),
			jsonMember("text", obj(jsonMember("type", str("string")), jsonMember("description", str("A text of at most 256 KiB, held against the fingerprint.")))),
		)),
		jsonMember("oneOf", arr(obj(jsonMember("required", strs("record"))), obj(jsonMember("required", strs("entry_id", "text"))))),
	)
	return obj(jsonMember("anyOf", arr(question, schemaRef("record"))))
}
