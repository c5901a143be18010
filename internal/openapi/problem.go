package openapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// everyProblem is what any operation may answer, whatever it is asked.
var everyProblem = []string{
	"malformed_request", "unknown_parameter", "invalid_parameter", "not_acceptable", "internal_error", "index_unavailable", "overloaded", "deadline_exceeded",
}

// credentialProblems are the codes of each kind of credential.
var credentialProblems = map[exports.Auth][]string{
	exports.ByPartner: {
		"conflicting_credentials", "credential_missing", "credential_invalid", "credential_expired", "partner_suspended", "key_disabled", "scope_missing",
		"origin_unavailable",
	},
	exports.ByBuyer:        {"credential_missing", "credential_invalid", "credential_expired", "key_disabled", "grant_inactive", "origin_unavailable"},
	exports.ByConversation: {"conversation_token_missing", "thread_not_found", "origin_unavailable"},
}

var bodyProblems = []string{"malformed_json", "unsupported_media_type", "validation_failed", "unknown_member"}

// ownProblems are the codes of single operations.
var ownProblems = map[string][]string{
	"search_content_catalog":  {"conflicting_parameters"},
	"get_publisher_inventory": {"conflicting_parameters"},
	"licensing_feed":          {"conflicting_parameters"},
	"licensing_feed_ndjson":   {"conflicting_parameters"},
	"buyer_demand":            {"conflicting_parameters"},
	"license_catalog":         {"conflicting_parameters"},
	"ledger_search":           {"conflicting_parameters"},
	"ai_rights_map":           {"conflicting_parameters"},
	"partner_catalog_search":  {"conflicting_parameters"},
	"rights_check":            {"lookup_key_required", "credential_invalid", "credential_expired", "key_disabled", "unsupported_use", "origin_unavailable"},
	"rights_check_batch":      {"unsupported_use", "origin_unavailable"},
	"resolve_citation":        {"lookup_key_required", "no_match"},
	"prepare_intent":          {"unsupported_use", "origin_unavailable"},
	"verify_record":           {"entry_not_found"},
	"partner_categories":      {"not_found"},
	"partner_create_request": {
		"idempotency_key_missing", "idempotency_key_invalid", "idempotency_conflict", "idempotency_in_progress", "site_not_found", "site_not_accepting_inquiries",
	},
	"create_request": {
		"idempotency_key_invalid", "idempotency_conflict", "idempotency_in_progress", "duplicate_request", "anti_spam_challenge", "site_not_accepting_inquiries",
		"unsupported_use", "origin_unavailable",
	},
	"post_message":      {"state_conflict", "idempotency_conflict", "thread_closed"},
	"delivery_items":    {"snapshot_gone"},
	"delivery_feed":     {"snapshot_gone"},
	"delivery_delta":    {"cursor_expired", "snapshot_gone"},
	"delivery_snapshot": {"idempotency_key_invalid", "idempotency_conflict", "not_implemented", "unsupported_use"},
}

// missingProblems are the codes of a path that names what does not exist.
var missingProblems = map[string]string{
	"site_id": "site_not_found", "entry_id": "entry_not_found", "category_slug": "category_not_found", "request_id": "request_not_found", "thread_id": "thread_not_found",
}

// Problems lists the codes that an operation may answer, in the order of
// exports.ProblemKinds.
func Problems(e *exports.Endpoint) []string {
	can := map[string]bool{}
	add := func(codes ...string) {
		for _, c := range codes {
			can[c] = true
		}
	}
	if e.ID == "mcp_publisher_metadata" {
		add("malformed_request", "site_not_found", "internal_error", "index_unavailable", "overloaded", "deadline_exceeded", "origin_unavailable")
	} else {
		add(everyProblem...)
		add(credentialProblems[e.Auth]...)
		add(ownProblems[e.ID]...)
		addByShape(add, e)
	}
	var out []string
	for _, k := range exports.ProblemKinds {
		if can[k.Code] {
			out = append(out, k.Code)
		}
	}
	return out
}

// addByShape adds what follows from the row of an operation.
func addByShape(add func(...string), e *exports.Endpoint) {
	for _, name := range PathNames(e.Path) {
		add(missingProblems[name])
	}
	if e.Made == exports.FromFile || e.Made == exports.Listed {
		add("not_found")
	}
	if e.Made != exports.FromFile {
		add("body_too_large")
	}
	if e.Limits != "" {
		add("quota_exceeded")
	}
	if e.Body != "" {
		add(bodyProblems...)
	}
	for _, p := range e.Query {
		switch p.Name {
		case "offset":
			add("offset_too_deep")
		case "cursor":
			add("cursor_expired")
		}
	}
}

// problemSet gathers the error answers of all operations, so that alike ones
// are written once, as components.
type problemSet struct{ responses []wire.Member }

// referTo returns a reference to a response, which it adds when no operation had
// it before.
func (s *problemSet) referTo(status int, response wire.Value) wire.Value {
	text := string(response.Append(nil))
	n := 1
	prefix := "problem_" + strconv.Itoa(status) + "_"
	for i := range s.responses {
		known := &s.responses[i]
		if !strings.HasPrefix(known.Name, prefix) {
			continue
		}
		if string(known.Value.Append(nil)) == text {
			return obj(jsonMember("$ref", str("#/components/responses/"+known.Name)))
		}
		n++
	}
	name := prefix + strconv.Itoa(n)
	s.responses = append(s.responses, jsonMember(name, response))
	return obj(jsonMember("$ref", str("#/components/responses/"+name)))
}

// problemMembers returns the error answers of an operation, by status.
func (s *problemSet) problemMembers(e *exports.Endpoint) []wire.Member {
	byStatus := map[int][]string{}
	for _, code := range Problems(e) {
		status := exports.KindOf(code).Status
		byStatus[status] = append(byStatus[status], code)
	}
	var out []wire.Member
	for _, status := range slices.Sorted(maps.Keys(byStatus)) {
		out = append(out, jsonMember(strconv.Itoa(status), s.referTo(status, problemValue(status, byStatus[status], e.Limits != ""))))
	}
	return out
}

// problemValue returns the response object of a status, with the codes that go
// with it.
func problemValue(status int, codes []string, limited bool) wire.Value {
	titles := make([]string, 0, len(codes))
	for _, c := range codes {
		titles = append(titles, exports.KindOf(c).Title)
	}
	schema := obj(jsonMember("allOf", arr(
		schemaRef("problem"),
		obj(jsonMember("properties", obj(
			jsonMember("code", obj(jsonMember("enum", strs(codes...)))),
			jsonMember("status", obj(jsonMember("const", wire.Int(int64(status))))),
		))),
	)))
	content := []wire.Member{
		jsonMember("application/problem+json", obj(jsonMember("schema", schema))),
		jsonMember("text/html", obj(jsonMember("schema", textSchema))), // for browsers, by Accept
	}
	return obj(
		jsonMember("description", str(strings.Join(titles, "; ")+".")),
		jsonMember("headers", headerRefs(problemHeaders(status, limited)...)),
		jsonMember("content", obj(content...)),
	)
}

func problemHeaders(status int, limited bool) []string {
	names := []string{"cache_control", "request_id_optional", "link"}
	switch status {
	case 401:
		names = append(names, "www_authenticate")
	case 403:
		names = append(names, "service_access")
	case 409, 500, 504:
		names = append(names, "retry_after_optional")
	case 429, 503:
		names = append(names, "retry_after")
	}
	if limited {
		names = append(names, "ratelimit", "ratelimit_policy")
	}
	return names
}

// messageErrors returns the statuses of a JSON-RPC error, to a POST.
func messageErrors() []wire.Member {
	return append(errorsOfMessage("400", "401", "403", "404", "413", "415", "429", "500"), problemOrMessage()...)
}

// messageErrorsOfGet returns those of a GET, which asks for no message.
func messageErrorsOfGet() []wire.Member { return errorsOfMessage("403", "405") }

func errorsOfMessage(statuses ...string) []wire.Member {
	var out []wire.Member
	for _, s := range statuses {
		names := []string{"cache_control", "request_id_optional"}
		switch s {
		case "401":
			names = append(names, "www_authenticate")
		case "429":
			names = append(names, "retry_after")
		}
		out = append(out, jsonMember(s, obj(
			jsonMember("description", str("The error of the message, or of a request that is none.")),
			jsonMember("headers", headerRefs(names...)),
			jsonMember("content", obj(messageMedia(s)...)),
		)))
	}
	return out
}

// messageMedia returns the body of an error: a JSON-RPC error, or a problem
// where the host answers before the endpoint does.
func messageMedia(status string) []wire.Member {
	out := []wire.Member{jsonMember("application/json", obj(jsonMember("schema", schemaRef("json_rpc_error"))))}
	if status == "400" || status == "500" {
		out = append(out, jsonMember("application/problem+json", obj(jsonMember("schema", schemaRef("problem")))))
	}
	return out
}

// problemOrMessage returns the statuses that the host answers when the endpoint
// cannot be reached.
func problemOrMessage() []wire.Member {
	both := obj(
		jsonMember("application/json", obj(jsonMember("schema", schemaRef("json_rpc_error")))),
		jsonMember("application/problem+json", obj(jsonMember("schema", schemaRef("problem")))),
	)
	return []wire.Member{
		jsonMember("503", obj(jsonMember("description", str("The service is busy, or licensed content is not available.")), jsonMember("headers", headerRefs("cache_control", "retry_after")), jsonMember("content", both))),
		jsonMember("504", obj(jsonMember("description", str("The answer took too long.")), jsonMember("headers", headerRefs("cache_control", "retry_after_optional")), jsonMember("content", both))),
	}
}
