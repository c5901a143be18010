package colophon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"colophon/clients/go/api"
)

// Problem is a refusal of the service (RFC 9457). Code is stable: compare it,
// not the title.
type Problem struct {
	Status int
	api.Problem
}

// Error returns the status, the code, the title, the detail, and the request id
// that the operator asks for.
func (p *Problem) Error() string {
	text := fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Title)
	if p.Detail != nil && *p.Detail != "" {
		text += ": " + *p.Detail
	}
	return text + " (" + p.RequestId + ")"
}

// CodeOf returns the code of the problem in an error, or "" if there is none.
func CodeOf(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return string(p.Code)
	}
	return ""
}

// ErrNotUnderstood is the error for an answer that is neither what the
// description says nor a problem, such as the page of a proxy.
var ErrNotUnderstood = errors.New("colophon: the answer was not understood")

// longestAnswer is the maximum size in bytes of an answer that is not a stream.
const longestAnswer = 64 << 20

// Read reads the answer of an operation as a record of package api:
//
//	publisher, err := colophon.Read[api.Publisher](client.API.GetPublisher(ctx, "harbor-ledger"))
//
// It returns a *Problem if the service refused.
func Read[T any](res *http.Response, err error) (*T, error) {
	data, err := ReadBytes(res, err)
	if err != nil {
		return nil, err
	}
	out := new(T)
	if err := json.Unmarshal(data, out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotUnderstood, err)
	}
	return out, nil
}

// ReadBytes returns the answer of an operation unparsed, as VerifyRecord and
// VerifyReceipt need it.
func ReadBytes(res *http.Response, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer+1))
	if err != nil {
		return nil, err
	}
	if len(data) > longestAnswer {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrNotUnderstood, longestAnswer)
	}
	if res.StatusCode/100 != 2 {
		return nil, problemOf(res.StatusCode, data)
	}
	return data, nil
}

// problemOf returns the error for an answer that is not a success.
func problemOf(status int, body []byte) error {
	p := &Problem{Status: status}
	if err := json.Unmarshal(body, &p.Problem); err != nil || p.Code == "" {
		return fmt.Errorf("%w: status %d: %.80q", ErrNotUnderstood, status, body)
	}
	return p
}
