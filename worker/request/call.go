// Package request parses requests by the table of endpoints and makes answers
// of records. All handlers share it.
package request

import (
	"context"

	"colophon/exports"
	"colophon/worker/edge"
)

// Call is one request being answered: the matched endpoint and its parameters.
type Call struct {
	*edge.Request
	Endpoint *exports.Endpoint
	Params   map[string]string // path parameters
	Values   Values            // query parameters, decoded and checked
}

// Handler answers calls; an error becomes a problem document.
type Handler func(ctx context.Context, c *Call) (*edge.Response, error)
