package openapi

import (
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// answer is one way in which an operation succeeds.
type answer struct {
	status  string
	what    string   // "" the purpose of the operation
	json    string   // component of the body, "" no JSON
	lines   string   // component of each line of NDJSON
	text    []string // further media types, of which the body is text
	csl     bool     // the body may be a citation for CSL processors
	headers []string // components of headers beyond the ordinary ones
}

// answersOf lists how an operation succeeds.
func answersOf(e *exports.Endpoint) []answer {
	if list, ok := ownAnswers[e.ID]; ok {
		return list
	}
	if name, ok := answerRecords[e.ID]; ok {
		return []answer{{status: "200", json: name, headers: listHeaders(name)}}
	}
	return nil
}

// Answers names the component of each operation's answer, by operation id;
// operations without JSON answers have none.
func Answers() map[string]string {
	out := map[string]string{}
	for i := range exports.Surface {
		e := &exports.Surface[i]
		for _, a := range answersOf(e) {
			if name := a.json + a.lines; name != "" && out[e.ID] == "" {
				out[e.ID] = name
			}
		}
	}
	return out
}

// listHeaders returns those of an answer that is one page of a list.
func listHeaders(component string) []string {
	if strings.HasSuffix(component, "_list") || component == "search" || component == "inventory" || component == "feed" || component == "map" {
		return []string{"link"}
	}
	return nil
}

// answerRecords names the component of an operation's answer.
var answerRecords = map[string]string{
	"ai_discovery":                "discovery_manifest",
	"search_content_catalog":      "search",
	"list_marketplace_categories": "category_list",
	"get_marketplace_category":    "category_detail",
	"list_marketplace_publishers": "publisher_list",
	"get_publisher":               "publisher",
	"get_publisher_inventory":     "inventory",
	"licensing_feed":              "feed",
	"buyer_demand":                "demand_list",
	"get_network_stats":           "stats",
	"developer_manifest":          "developer_manifest",
	"license_catalog":             "offer_list",
	"rights_check":                "rights_answer",
	"rights_check_batch":          "rights_batch_answer",
	"sandbox_run":                 "sandbox_result",
	"partner_status":              "partner_status",
	"partner_catalog_search":      "publisher_hit_list",
	"partner_categories":          "category_list",
	"partner_publisher":           "publisher",
	"partner_list_requests":       "partner_request_list",
	"partner_get_request":         "partner_view",
	"partner_report_use":          "use_report_receipt",
	"delivery_report_use":         "use_report_receipt",
	"prepare_intent":              "prepared_intent",
	"procurement_view":            "procurement",
	"get_conversation":            "conversation",
	"intent_discovery":            "intent_manifest",
	"intent_manifest":             "intent_manifest",
	"intent_schema":               "intent_schema",
	"provenance_discovery":        "provenance_manifest",
	"site_records":                "record_list",
	"get_record":                  "record",
	"verify_record":               "verification",
	"ledger_search":               "ledger_list",
	"resolve_citation":            "resolved_citation",
	"similar_citations":           "similar",
	"ledger_discovery":            "ledger_manifest",
	"ledger_manifest":             "ledger_manifest",
	"ai_rights_map":               "map",
	"map_publisher":               "map_record",
	"map_discovery":               "map_manifest",
	"map_manifest":                "map_manifest",
	"access_response":             "access_manifest",
	"agent_licensing":             "agent_manifest",
	"mcp_publisher_metadata":      "mcp_endpoint",
}

var deliveryHeaders = []string{"vary", "content_usage", "link", "rights_decision", "content_telemetry_id"}

// ownAnswers are those of operations that answer in more than one way, or with
// more than JSON.
var ownAnswers = map[string][]answer{
	"licensing_feed_ndjson": {{status: "200", lines: "feed_record", headers: []string{"link", "next_cursor", "record_count"}}},
	"get_citation": {{
		status: "200", json: "citation", csl: true, text: []string{"application/x-bibtex", "text/html", "text/plain"},
	}},
	"map_csv":     {{status: "200", text: []string{"text/csv"}, headers: []string{"content_disposition"}}},
	"map_sitemap": {{status: "200", text: []string{"application/xml"}}},
	"create_request": {{
		status: "201", what: "The inquiry is created. It grants no rights.", json: "request_receipt", text: []string{"text/html"}, headers: []string{"location", "idempotency_replayed"},
	}},
	"partner_create_request": {{
		status: "201", what: "The request is created, or was with the same key. It grants no rights.", json: "partner_view", headers: []string{"location", "idempotency_replayed_required"},
	}},
	"post_message": {
		{status: "201", what: "The message is added, or the token changed.", json: "posted_message_or_token", headers: []string{"location_optional"}},
		{status: "200", what: "The message was added before, with the same client_message_id.", json: "posted_message"},
	},
	"delivery_items":    {{status: "200", json: "item_list", headers: deliveryHeaders}},
	"delivery_feed":     {{status: "200", lines: "feed_line", headers: deliveryHeaders}},
	"delivery_delta":    {{status: "200", lines: "delta_line", headers: deliveryHeaders}},
	"delivery_snapshot": {{status: "201", json: "snapshot_created", headers: []string{"idempotency_replayed"}}},
	"mcp":               messageAnswers,
	"mcp_gateway":       messageAnswers,
	"mcp_publisher":     messageAnswers,
}

var messageAnswers = []answer{
	{status: "200", what: "The response to the request.", json: "json_rpc_response"},
	{status: "202", what: "A notification was taken. There is no body."},
}

// responseObjects returns all answers of an operation, by status.
func responseObjects(e *exports.Endpoint, problems *problemSet) wire.Value {
	var out []wire.Member
	for _, a := range answersOf(e) {
		out = append(out, jsonMember(a.status, a.responseObject(e)))
	}
	if isCacheable(e) {
		out = append(out, jsonMember("304", obj(
			jsonMember("description", str("One of the entity tags of If-None-Match is current. There is no body.")),
			jsonMember("headers", headerRefs("cache_control", "etag", "request_id")),
		)))
	}
	if hasRanges(e) {
		media, _, _ := strings.Cut(e.Media, ";")
		out = append(out, jsonMember("206", obj(
			jsonMember("description", str("The bytes that Range asks for, of the media type of 200; they may begin and end within a line.")),
			jsonMember("headers", headerRefs("cache_control", "content_range", "etag", "request_id")),
			jsonMember("content", obj(jsonMember(media, obj(jsonMember("schema", textSchema), jsonMember("example", str("r-ledger")))))),
		)), jsonMember("416", obj(
			jsonMember("description", str("Nothing stands at the place that Range asks for. There is no body.")),
			jsonMember("headers", headerRefs("content_range", "request_id")),
		)))
	}
	if e.Group == "mcp" && e.Method == "POST" {
		return obj(append(out, messageErrors()...)...)
	}
	if e.Group == "mcp" {
		out = append(out, messageErrorsOfGet()...)
	}
	return obj(append(out, problems.problemMembers(e)...)...)
}

// responseObject returns the response object of an answer.
func (a *answer) responseObject(e *exports.Endpoint) wire.Value {
	what := a.what
	if what == "" {
		what = e.Purpose
	}
	names := append([]string{"cache_control", "request_id"}, a.headers...)
	if isCacheable(e) {
		names = append(names, "etag", "vary")
	}
	if e.Limits != "" && e.Group != "mcp" {
		names = append(names, "ratelimit", "ratelimit_policy")
	}
	out := obj(jsonMember("description", str(what)), jsonMember("headers", headerRefs(names...)))
	if content := a.contentMembers(e); len(content) > 0 {
		out.Members = append(out.Members, jsonMember("content", obj(content...)))
	}
	return out
}

func (a *answer) contentMembers(e *exports.Endpoint) []wire.Member {
	var out []wire.Member
	if a.json != "" {
		out = append(out, a.media(e, "application/json", jsonMember("schema", schemaRef(a.json))))
	}
	if a.lines != "" {
		text := obj(jsonMember("type", str("string")), jsonMember("description", str("Lines of JSON, each a "+a.lines+".")))
		out = append(out, a.media(e, "application/x-ndjson", jsonMember("schema", text), jsonMember("x-item-schema", schemaRef(a.lines))))
	}
	if a.csl {
		out = append(out, a.media(e, "application/vnd.citationstyles.csl+json", jsonMember("schema", schemaRef("csl"))))
	}
	for _, name := range a.text {
		out = append(out, a.media(e, name, jsonMember("schema", obj(jsonMember("type", str("string"))))))
	}
	return out
}

// media returns one media type of an answer, with its example.
func (a *answer) media(e *exports.Endpoint, name string, members ...wire.Member) wire.Member {
	if e.ID == noExample {
		return jsonMember(name, obj(members...))
	}
	if given, ok := examples()[ExampleKey(e.ID, a.status, name)]; ok {
		members = append(members, jsonMember("example", given.Answer))
	}
	return jsonMember(name, obj(members...))
}

// noExample is the operation that answers with a JSON Schema. Readers of the
// description would follow the references in it, and fail.
const noExample = "intent_schema"
