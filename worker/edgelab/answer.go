package edgelab

import (
	"strconv"
	"strings"

	"colophon/worker/edge"
)

func text(s string) *edge.Response {
	return &edge.Response{Status: 200, Header: edge.Header{{Name: "content-type", Value: "text/plain"}}, Body: []byte(s)}
}

func jsonBody(b []byte) *edge.Response {
	return &edge.Response{Status: 200, Header: edge.Header{{Name: "content-type", Value: "application/json"}}, Body: b}
}

func problem(status int, code string) *edge.Response {
	b := append([]byte(`{"code":"`), code...)
	b = strconv.AppendInt(append(b, `","grants_rights":false,"status":`...), int64(status), 10)
	return &edge.Response{Status: status, Body: append(b, '}'), Header: edge.Header{
		{Name: "content-type", Value: "application/problem+json"},
		{Name: "cache-control", Value: "private, no-store"},
	}}
}

// param returns a query parameter as sent; the lab's need no decoding.
func param(r *edge.Request, name string) string {
	for q := r.Query; q != ""; {
		var pair string
		pair, q, _ = strings.Cut(q, "&")
		if k, v, _ := strings.Cut(pair, "="); k == name {
			return v
		}
	}
	return ""
}

func number(r *edge.Request, name string) int {
	n, _ := strconv.Atoi(param(r, name))
	return n
}
