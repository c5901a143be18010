package worker

import (
	"colophon/internal/wire"
	"colophon/worker/access"
	"colophon/worker/problem"
)

// denyBuyer is the access response to a buyer without a right: a refusal that
// lists the routes to one. It says nothing about what exists.
func (c *call) denyBuyer() error { return newDenial(c.deps, c.Values.Get("use"), "") }

// newDenial is that response; resource is the public address of what was asked
// for, "" when that is not public.
func newDenial(d *Deps, use, resource string) *problem.Failure {
	x := access.OfBuyer(d.BaseURL, resource, use)
	f := problem.New(x.Code, "No active grant covers this for "+string(x.Use)+".")
	x.Headers(&f.Header)
	f.More = []wire.Member{wire.M("access_response", x.AccessResponse())}
	return f
}
