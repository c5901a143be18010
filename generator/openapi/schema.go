package openapi

import (
	"colophon/exports"
	"colophon/generator/manifest"
	"colophon/internal/wire"
)

// named is a record whose schema is a component.
type named struct {
	name   string
	record wire.Record
}

// answered are the records that answers are made of. Where one of them is part
// of another, the other refers to it.
func answered() []named {
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
		{"policy", &exports.PolicyRef{}},
		{"release", &exports.Release{}},
		{"page", &exports.Page{}},
		{"page_links", &exports.PageLinks{}},
		{"rights_answer", &exports.RightsAnswer{}},
		{"rights_standing", &exports.RightsStanding{}},
		{"use_standing", &exports.UseStanding{}},
		{"rights_query", &exports.RightsQuery{}},
		{"evidence", &exports.Evidence{}},
		{"receipt", &exports.Receipt{}},
		{"sandbox_result", &exports.SandboxRun{}},
		{"partner_status", &exports.PartnerStatus{}},
		{"partner_view", &exports.PartnerView{}},
		{"partner_request_list", &exports.PartnerList{}},
		{"prepared_intent", &exports.PreparedIntent{}},
		{"payload", &exports.Payload{}},
		{"request_receipt", &exports.RequestReceipt{}},
		{"conversation_access", &exports.Conversation{}},
		{"conversation", &exports.Thread{}},
		{"conversation_message", &exports.Message{}},
		{"posted_message", &exports.PostedMessage{}},
		{"rotated_token", &exports.RotatedToken{}},
		{"indicative_terms", &exports.IndicativeTerms{}},
		{"step", &exports.Step{}},
		{"procurement", &exports.Procurement{}},
		{"verification", &exports.Verification{}},
		{"ledger_row", &exports.LedgerRow{}},
		{"resolved_citation", &exports.Resolution{}},
		{"candidate", &exports.Candidate{}},
		{"mcp_endpoint", &exports.MCPEndpoint{}},
		{"item_list", &exports.ItemList{}},
		{"item", &exports.Item{}},
		{"item_rights", &exports.ItemRights{}},
		{"withheld", &exports.Withheld{}},
		{"tombstone", &exports.Tombstone{}},
		{"upsert", &exports.Upsert{}},
		{"rights_change", &exports.RightsChange{}},
		{"checkpoint", &exports.Checkpoint{}},
		{"feed_end", &exports.FeedEnd{}},
		{"snapshot_created", &exports.Snapshot{}},
		{"boundary", &manifest.Boundary{}},
		{"posture", &manifest.Posture{}},
		{"public_key", &manifest.PublicKey{}},
		{"discovery_manifest", &manifest.Discovery{}},
		{"developer_manifest", &manifest.Developer{}},
		{"intent_manifest", &manifest.Intent{}},
		{"agent_manifest", &manifest.Agent{}},
		{"access_manifest", &manifest.AccessResponse{}},
		{"provenance_manifest", &manifest.Provenance{}},
		{"ledger_manifest", &manifest.Ledger{}},
		{"map_manifest", &manifest.Map{}},
		{"category_list", &exports.List[exports.Category, *exports.Category]{}},
		{"category_detail", categoryDetail()},
		{"publisher_list", &exports.List[exports.PublisherSummary, *exports.PublisherSummary]{}},
		{"publisher_hit_list", &exports.List[exports.PublisherHit, *exports.PublisherHit]{}},
		{"inventory", inventory()},
		{"search", &exports.List[exports.SearchHit, *exports.SearchHit]{}},
		{"feed", &exports.List[exports.FeedRecord, *exports.FeedRecord]{}},
		{"demand_list", &exports.List[exports.Demand, *exports.Demand]{}},
		{"offer_list", &exports.List[exports.Offer, *exports.Offer]{}},
		{"record_list", &exports.List[exports.Record, *exports.Record]{}},
		{"ledger_list", &exports.List[exports.LedgerRow, *exports.LedgerRow]{}},
		{"map", rightsMap()},
		{"problem", &exports.Problem{}},
	}
}

func categoryDetail() wire.Record {
	l := &exports.List[exports.PublisherSummary, *exports.PublisherSummary]{}
	l.Extra = func(m *wire.Members) { m.Object("category", &exports.Category{}) }
	return l
}

func inventory() wire.Record {
	l := &exports.List[exports.InventoryItem, *exports.InventoryItem]{}
	l.Extra = func(m *wire.Members) { m.Object("inventory", &exports.InventoryFacts{}) }
	return l
}

func rightsMap() wire.Record {
	l := &exports.List[exports.MapRecord, *exports.MapRecord]{}
	l.Extra = func(m *wire.Members) { m.Const("readiness_note", exports.ReadinessNote) }
	return l
}

// Schemas are the component schemas: those of records come from the records.
func Schemas() []wire.Member {
	list := answered()
	inline := make([]wire.Value, len(list))
	names := make(map[string]string, len(list))
	for i := range list {
		inline[i] = wire.Schema(list[i].record, true)
		names[string(inline[i].Append(nil))] = list[i].name
	}
	out := make([]wire.Member, 0, len(list))
	for i := range list {
		schema := refer(inline[i], list[i].name, names)
		switch list[i].name {
		case "problem":
			schema = widenProblem(schema)
		case "receipt":
			schema = schema.With("properties", schema.Get("properties").With("payload", ref("receipt_payload")))
		}
		out = append(out, m(list[i].name, schema))
	}
	out = append(out, unions()...)
	out = append(out, foreign()...)
	return append(out, bodySchemas()...)
}

// refer puts references in the place of schemas that are components
// themselves; self is the component at hand.
func refer(v wire.Value, self string, names map[string]string) wire.Value {
	if v.Kind == wire.KindObject && v.Get("properties") != nil {
		if name := names[string(v.Append(nil))]; name != "" && name != self {
			return ref(name)
		}
		self = "" // the same shape further down is a reference
	}
	out := v
	out.Members = make([]wire.Member, 0, len(v.Members))
	for _, member := range v.Members {
		out.Members = append(out.Members, m(member.Name, refer(member.Value, self, names)))
	}
	out.Items = make([]wire.Value, 0, len(v.Items))
	for _, item := range v.Items {
		out.Items = append(out.Items, refer(item, self, names))
	}
	return out
}

// widenProblem lets hosts answer before the service does: their problems have
// no links, and a null where nothing is known of a retry. It also names the
// members that only some codes have.
func widenProblem(schema wire.Value) wire.Value {
	properties := *schema.Get("properties")
	retry := *properties.Get("retry")
	retryMembers := *retry.Get("properties")
	retryMembers = retryMembers.With("after_seconds", obj(m("type", strs("integer", "null")), m("minimum", wire.Int(1))))
	retryMembers = retryMembers.With("same_idempotency_key", obj(m("type", str("boolean"))))
	properties = properties.With("retry", retry.With("properties", retryMembers))
	for _, extra := range problemExtras() {
		properties = properties.With(extra.Name, extra.Value)
	}
	required := strs("code", "grants_rights", "instance", "request_id", "retry", "status", "title", "type")
	return schema.With("properties", properties).With("required", required)
}

// problemExtras are the members that only some codes have.
func problemExtras() []wire.Member {
	return []wire.Member{
		m("access_response", accessSchema()),
		m("challenge", obj(
			m("type", str("object")),
			m("description", str("With anti_spam_challenge: the proof of work that is asked for.")),
			m("required", strs("algorithm", "difficulty", "expires_at", "nonce", "signature")),
			m("properties", obj(
				m("algorithm", obj(m("const", str("sha-256-leading-zero-bits")))),
				m("difficulty", obj(m("type", str("integer")), m("minimum", wire.Int(0)))),
				m("expires_at", obj(m("type", str("string")), m("format", str("date-time")))),
				m("nonce", textSchema),
				m("signature", textSchema),
			)),
		)),
		m("current_state", obj(m("type", str("string")), m("description", str("With state_conflict: the state of the request.")))),
		m("required_scope", obj(m("enum", strs(exports.PartnerScopes...)), m("description", str("With scope_missing: the scope of the endpoint.")))),
		m("violated-policies", obj(m("type", str("array")), m("items", textSchema), m("description", str("With quota_exceeded: the quotas that are used up.")))),
	}
}

// accessSchema is the denial of a buyer without a right, a member of
// the problem: see worker/access.
func accessSchema() wire.Value {
	maybe := func(word string) wire.Value { return obj(m("type", strs(word, "null"))) }
	object := func(properties ...wire.Member) wire.Value {
		return obj(m("type", str("object")), m("properties", obj(properties...)))
	}
	objects := obj(m("type", str("array")), m("items", obj(m("type", str("object")))))
	texts := obj(m("type", str("array")), m("items", textSchema))
	route := object(
		m("auth", textSchema),
		m("binding", obj(m("const", wire.Bool(false)))),
		m("body", object(m("requested_use", textSchema), m("resource", textSchema))),
		m("content_type", textSchema),
		m("href", textSchema),
		m("method", textSchema),
		m("rel", obj(m("enum", strs(exports.RouteRels...)))),
		m("schema", textSchema),
	)
	schema := object(
		m("agent", object(m("class", textSchema), m("identity", textSchema), m("product_token", maybe("string")))),
		m("decision", obj(m("const", str("deny")))),
		m("offers", objects),
		m("policy", maybe("object")),
		m("price", maybe("object")),
		m("reason_code", obj(m("enum", strs(exports.DenialReasons...)))),
		m("receipt", maybe("object")),
		m("requested_use", object(m("source", textSchema), m("value", maybe("string")))),
		m("resource", obj(m("type", strs("object", "null")), m("properties", obj(m("url", textSchema))))),
		m("retry", object(m("after_seconds", maybe("integer")), m("change", texts), m("same_request", textSchema))),
		m("routes", obj(m("type", str("array")), m("items", route.With("required", strs("rel", "method", "href", "auth"))))),
		m("signals", maybe("object")),
		m("uses", objects),
		m("version", obj(m("const", str("service.access-response.v1")))),
	)
	schema = schema.With("required", strs("decision", "reason_code", "routes", "version"))
	return schema.With("description", str("With grant_inactive: why, and the routes to a licence."))
}

// unions are answers of one of several records.
func unions() []wire.Member {
	one := func(names ...string) wire.Value {
		refs := make([]wire.Value, 0, len(names))
		for _, n := range names {
			refs = append(refs, ref(n))
		}
		return obj(m("anyOf", arr(refs...)))
	}
	return []wire.Member{
		m("receipt_payload", receiptPayload()),
		m("posted_message_or_token", one("posted_message", "rotated_token")),
		m("feed_line", one("item", "tombstone", "withheld", "feed_end")),
		m("delta_line", one("upsert", "tombstone", "rights_change", "checkpoint")),
	}
}

// foreign are the schemas of documents whose shape another standard gives.
func foreign() []wire.Member {
	version := m("jsonrpc", obj(m("const", str("2.0"))))
	id := m("id", obj(m("type", strs("string", "integer"))))
	fault := obj(
		m("type", str("object")),
		m("required", strs("code", "message")),
		m("properties", obj(m("code", obj(m("type", str("integer")))), m("message", textSchema), m("data", obj()))),
	)
	failed := obj(
		m("type", str("object")),
		m("required", strs("error", "jsonrpc")),
		m("properties", obj(m("error", fault), id, version)),
	)
	succeeded := obj(
		m("type", str("object")),
		m("required", strs("id", "jsonrpc", "result")),
		m("properties", obj(id, version, m("result", obj(m("type", str("object")))))),
	)
	return []wire.Member{
		m("json_rpc_error", failed),
		m("json_rpc_result", succeeded),
		m("json_rpc_response", obj(m("anyOf", arr(ref("json_rpc_result"), ref("json_rpc_error"))))),
		m("intent_schema", obj(
			m("type", str("object")),
			m("description", str("A JSON Schema (draft 2020-12).")),
			m("required", strs("$schema", "$id", "$defs", "$ref", "grants_rights")),
			m("properties", obj(
				m("$schema", obj(m("const", str("https://json-schema.org/draft/2020-12/schema")))),
				m("$id", textSchema),
				m("title", textSchema),
				m("$ref", textSchema),
				m("$defs", obj(m("type", str("object")), m("additionalProperties", obj(m("type", str("object")))))),
				m("grants_rights", obj(m("const", wire.Bool(false)))),
			)),
		)),
	}
}

// bodySchemas are those of request bodies.
func bodySchemas() []wire.Member {
	out := []wire.Member{
		m("json_rpc", obj(
			m("type", str("object")),
			m("required", strs("jsonrpc", "method")),
			m("properties", obj(
				m("id", obj(m("type", strs("string", "integer")), m("description", str("Absent in a notification.")))),
				m("jsonrpc", obj(m("const", str("2.0")))),
				m("method", obj(m("type", str("string")), m("minLength", wire.Int(1)))),
				m("params", obj(m("type", str("object")))),
			)),
		)),
		m("public_request_form", formSchema()),
		m("sandbox_run", wire.Schema(&exports.SandboxInput{}, false)),
		m("verify", verifySchema()),
	}
	for _, name := range []string{"intent", "public_request", "partner_request", "message", "snapshot"} {
		if body, ok := exports.BodySchema(name); ok {
			out = append(out, m(name, body))
		}
	}
	return out
}

// receiptPayload is what the receipt of a rights answer signs.
func receiptPayload() wire.Value {
	digest := obj(m("type", str("string")), m("pattern", str("^[0-9a-f]{64}$")))
	texts := obj(m("type", str("array")), m("items", textSchema))
	maybeText := obj(m("type", strs("string", "null")))
	instant := obj(m("type", str("string")), m("format", str("date-time")))
	closed := func(properties ...wire.Member) wire.Value {
		names := make([]string, 0, len(properties))
		for _, p := range properties {
			names = append(names, p.Name)
		}
		return obj(m("type", str("object")), m("required", strs(names...)), m("properties", obj(properties...)))
	}
	policy := closed(m("digest", textSchema), m("policy_id", textSchema), m("version", obj(m("type", str("integer")))))
	use := closed(m("reason", textSchema), m("use", textSchema), m("verdict", obj(m("enum", strs(exports.Verdicts...)))))
	candidate := closed(
		m("entry_id", maybeText),
		m("evidence", texts),
		m("policy", obj(m("anyOf", arr(policy, obj(m("type", str("null"))))))),
		m("rights_vector", textSchema),
		m("site_id", textSchema),
		m("url_sha256", digest),
		m("uses", obj(m("type", str("array")), m("items", use))),
	)
	return closed(
		m("answer_sha256", digest),
		m("basis", textSchema),
		m("candidates", obj(m("type", str("array")), m("items", candidate))),
		m("decision", obj(m("const", str("licence_answer")))),
		m("evaluated_at", instant),
		m("question", ref("rights_query")),
		m("release", maybeText),
		m("valid_until", instant),
	)
}

// formSchema is the public request as a form of a page sends it.
func formSchema() wire.Value {
	body := wire.Schema(&exports.PublicRequest{}, false)
	properties := *body.Get("properties")
	for _, name := range []string{"agent", "ext", "intent_digest", "locale"} {
		properties = properties.Without(name)
	}
	trap := obj(m("type", str("string")), m("description", str("Leave it empty: what people do not see, robots fill.")))
	return body.With("properties", properties.With("website", trap)).Without("additionalProperties")
}

// verifySchema is a record itself, or an object with a record or the id of an
// entry, and what is to be held against it.
func verifySchema() wire.Value {
	question := obj(
		m("type", str("object")),
		m("additionalProperties", wire.Bool(false)),
		m("properties", obj(
			m("check_live", obj(m("type", str("boolean")))),
			m("entry_id", obj(m("type", str("string")), m("description", str("A published record; needs text.")))),
			m("record", obj(m("description", str("The record to verify.")))),
			m("text", obj(m("type", str("string")), m("description", str("A text of at most 256 KiB, held against the fingerprint.")))),
			m("tlog_proof", obj(m("type", str("string")), m("description", str("An inclusion proof (C2SP tlog-proof) of at most 64 KiB.")))),
		)),
		m("oneOf", arr(obj(m("required", strs("record"))), obj(m("required", strs("entry_id", "text"))))),
	)
	return obj(m("anyOf", arr(question, ref("record"))))
}
