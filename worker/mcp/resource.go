package mcp

import (
	"context"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/problem"
)

// listResources returns what the caller may read, which is nothing without a
// credential.
func (c *call) listResources(ctx context.Context) (object, *rpcError) {
	if err := c.onePage(); err != nil {
		return nil, err
	}
	var list []Resource
	if c.buyer != (Buyer{}) {
		var err error
		if list, err = c.server.Gateway.Resources(ctx, c.buyer); err != nil {
			return nil, c.server.refusedError(c.server.findFailure(err))
		}
	}
	items := wire.Array()
	for _, r := range list {
		items.Items = append(items.Items, wire.Object(
			wire.M("mimeType", wire.String(r.MediaType)), wire.M("name", wire.String(r.Name)), wire.M("uri", wire.String(r.URI))))
	}
	var o object
	o.value("resources", items)
	c.setCacheLife(&o, private)
	return o, nil
}

// listTemplates returns an empty list; the resources capability requires the
// method.
func (c *call) listTemplates(context.Context) (object, *rpcError) {
	if err := c.onePage(); err != nil {
		return nil, err
	}
	var o object
	o.json("resourceTemplates", "[]")
	c.setCacheLife(&o, shared)
	return o, nil
}

// readResource reads one item under the grants in force.
func (c *call) readResource(ctx context.Context) (object, *rpcError) {
	uri, ok := c.message.params.Get("uri").Str()
	if !ok {
		return nil, invalidParams("params.uri must be a string")
	}
	media, body, err := c.server.Gateway.ReadResource(ctx, c.buyer, uri)
	if err != nil {
		return nil, c.server.resourceError(uri, c.server.findFailure(err))
	}
	item := wire.Object(wire.M("mimeType", wire.String(media)), wire.M("text", wire.String(body)), wire.M("uri", wire.String(uri)))
	var o object
	o.json("_meta", `{"untrusted_text":["contents[].text"]}`)
	o.value("contents", wire.Array(item))
	c.setCacheLife(&o, private)
	return o, nil
}

// resourceError says why a resource was not read.
func (s *Server) resourceError(uri string, f *problem.Failure) *rpcError {
	switch exports.KindOf(f.Code).Status {
	case 400, 404, 422:
		data := wire.Object(wire.M("uri", wire.String(uri)))
		return &rpcError{code: codeInvalidParams, message: "Resource not found", data: data.Append(nil)}
	}
	return s.refusedError(f)
}
