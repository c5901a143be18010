// Package edgelab holds the handlers with which the bridge is tested and
// measured: cheap and costly answers, origin reads and writes, streams, and
// every way in which a handler can fail. They run natively and in the worker
// alike, and are not part of the product.
package edgelab

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"time"

	"colophon/worker/edge"
)

// Lab is what the handlers need from their host. A nil field makes the
// handlers that need it answer 501.
type Lab struct {
	DB     *sql.DB
	Driver driver.Connector                                      // the same database, for /sql
	Read   func(ctx context.Context, key string) ([]byte, error) // published file
	Body   func(ctx context.Context, key string) ([]byte, error) // private body
	Limit  func(ctx context.Context, policy, key string, calls, seconds int64) (bool, error)
	Verify func(ctx context.Context, public, message, signature []byte) (bool, error)
	Random io.Reader
	Getenv func(name string) string
	Sleep  func(time.Duration)
}

type handler func(l *Lab, ctx context.Context, r *edge.Request) *edge.Response

var routes = map[string]handler{
	"/hello":    (*Lab).hello,
	"/json":     (*Lab).records,
	"/verify":   (*Lab).verify,
	"/read":     (*Lab).read,
	"/write":    (*Lab).write,
	"/count":    (*Lab).count,
	"/asset":    (*Lab).asset,
	"/body":     (*Lab).body,
	"/limit":    (*Lab).limit,
	"/random":   (*Lab).random,
	"/env":      (*Lab).env,
	"/now":      (*Lab).now,
	"/echo":     (*Lab).echo,
	"/header":   (*Lab).header,
	"/id":       (*Lab).id,
	"/sleep":    (*Lab).sleep,
	"/language": (*Lab).language,
	"/depth":    (*Lab).depth,
	"/stream":   (*Lab).stream,
	"/panic":    (*Lab).panic,
	"/allocate": (*Lab).allocate,
	"/parse":    (*Lab).parse,
	"/sql":      (*Lab).sql,
}

// Handle returns the edge.Handler of the lab.
func (l *Lab) Handle(ctx context.Context, r *edge.Request) *edge.Response {
	if r.TooLarge {
		return problem(413, "body_too_large")
	}
	if h := routes[r.Path]; h != nil {
		return h(l, ctx, r)
	}
	return problem(404, "not_found")
}

// Cron leaves a mark that /count?key=cron reads.
func (l *Lab) Cron(ctx context.Context, expression string) (more bool, err error) {
	return false, l.mark(ctx, "cron")
}
