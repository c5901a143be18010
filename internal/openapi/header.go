package openapi

import (
	"slices"

	"colophon/internal/wire"
)

// header is a header of answers.
type header struct {
	component, name string
	required        bool // every answer that declares it has it
	purpose         string
	schema          wire.Value
}

var (
	textSchema    = obj(jsonMember("type", str("string")))
	countSchema   = obj(jsonMember("type", str("integer")), jsonMember("minimum", wire.Int(0)))
	secondsSchema = obj(jsonMember("type", str("integer")), jsonMember("minimum", wire.Int(1)))
	truthSchema   = obj(jsonMember("type", str("string")), jsonMember("enum", strs("true", "false")))
	tagSchema     = obj(jsonMember("type", str("string")), jsonMember("pattern", str(`^(W/)?"[!#-~]*"$`)))
)

// answerHeaders are the headers of answers. Every answer has further ones,
// which protect browsers and mean nothing to other callers.
var answerHeaders = []header{
	{"cache_control", "Cache-Control", true, "How long the answer may be kept, and by whom.", textSchema},
	{"content_disposition", "Content-Disposition", true, "The name of the file.", textSchema},
	{"content_range", "Content-Range", true, "Which part of how many bytes this is.", textSchema},
	{"content_telemetry_id", "Content-Telemetry-Id", false, "What the caller sent in the header of that name.", textSchema},
	{"content_usage", "Content-Usage", true, "The uses that every grant of the buyer covers (AIPREF).", textSchema},
	{"etag", "ETag", true, "Entity tag of the body, for If-None-Match.", tagSchema},
	{"idempotency_replayed", "Idempotency-Replayed", false, "Whether an earlier call with the same key created this. Absent without a key.", truthSchema},
	{"idempotency_replayed_required", "Idempotency-Replayed", true, "Whether an earlier call with the same key created this.", truthSchema},
	{"link", "Link", false, "Related addresses; rel=\"next\" is the next page of a list (RFC 8288).", textSchema},
	{"location", "Location", true, "Address of what was created.", textSchema},
	{"location_optional", "Location", false, "Address of the conversation.", textSchema},
	{"next_cursor", "Next-Cursor", false, "Where the list goes on; absent at its end.", textSchema},
	{"ratelimit", "RateLimit", false, "What is left of each quota; absent where the platform counts.", textSchema},
	{"ratelimit_policy", "RateLimit-Policy", false, "The quotas that were counted.", textSchema},
	{"record_count", "Record-Count", false, "Number of lines.", countSchema},
	{"request_id", "Request-Id", true, "Id of the request, to name it to the operator.", textSchema},
	{"request_id_optional", "Request-Id", false, "Id of the request, to name it to the operator.", textSchema},
	{"retry_after", "Retry-After", true, "Seconds until a retry makes sense.", secondsSchema},
	{"retry_after_optional", "Retry-After", false, "Seconds until a retry makes sense.", secondsSchema},
	{"rights_decision", "Service-Rights-Decision", true, "Id of the decision under which content is delivered.", textSchema},
	{"service_access", "Service-Access", false, "The denial in one line: decision, reason, use and status.", textSchema},
	{"vary", "Vary", false, "The request headers on which the answer depends.", textSchema},
	{"www_authenticate", "WWW-Authenticate", true, "The credential that is asked for.", textSchema},
}

// headerRefs refers to headers of an answer by their components.
func headerRefs(components ...string) wire.Value {
	var out []wire.Member
	for i := range answerHeaders {
		h := &answerHeaders[i]
		if slices.Contains(components, h.component) {
			out = append(out, jsonMember(h.name, obj(jsonMember("$ref", str("#/components/headers/"+h.component)))))
		}
	}
	return obj(out...)
}

func headerComponents() []wire.Member {
	out := make([]wire.Member, 0, len(answerHeaders))
	for i := range answerHeaders {
		h := &answerHeaders[i]
		out = append(out, jsonMember(h.component, obj(
			jsonMember("description", str(h.purpose)),
			jsonMember("required", wire.Bool(h.required)),
			jsonMember("schema", h.schema),
		)))
	}
	return out
}
