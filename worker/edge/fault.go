package edge

import "strconv"

// Fault returns the answer of a host that could not get one from its handler:
//
//	500 internal_error     the handler panicked
//	503 overloaded         every instance is busy; Retry-After: 1
//	504 deadline_exceeded  the handler did not answer in time
//
// Any other status gives the 500. The body is an application/problem+json
// document (RFC 9457, members sorted as in RFC 8785) that does not reveal the
// cause; id is the request id, which is also in the host's log.
func Fault(status int, id string) *Response {
	f := faultOf(status)
	retryAfter := "null"
	h := Header{
		{"content-type", "application/problem+json; charset=utf-8"},
		{"cache-control", "private, no-store"},
		{"x-content-type-options", "nosniff"},
	}
	if f.after > 0 {
		retryAfter = strconv.Itoa(f.after)
		h.Add("retry-after", retryAfter)
	}
	body := `{"code":"` + f.code + `","detail":"` + f.detail + `","grants_rights":false,` +
		`"instance":"urn:rid:` + id + `","request_id":"` + id + `",` +
		`"retry":{"after_seconds":` + retryAfter + `,"retryable":true,"same_idempotency_key":true},` +
		`"status":` + strconv.Itoa(f.status) + `,"title":"` + f.title + `","type":"/problems/` + f.page + `"}`
	return &Response{Status: f.status, Header: h, Body: []byte(body)}
}

type fault struct {
	status, after             int
	code, page, title, detail string
}

func faultOf(status int) fault {
	switch status {
	case 503:
		return fault{503, 1, "overloaded", "overloaded", "The service is busy",
			"Too many requests are being answered at once. Try again shortly."}
	case 504:
		return fault{504, 1, "deadline_exceeded", "deadline-exceeded", "The answer took too long",
			"The service stopped working on the request at its deadline. If the request wrote something, a retry with the same Idempotency-Key returns it."}
	}
	return fault{500, 0, "internal_error", "internal-error", "Something went wrong here",
		"The fault lies with the service, not with the request. It has been logged under the request id."}
}
