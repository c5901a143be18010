package mcp

import (
	"context"

	"colophon/exports"
	"colophon/internal/wire"
)

type method func(c *call, ctx context.Context) (object, *rpcError)

// findMethod returns the method that answers the request, by its era and by
// what the endpoint declares; nil if there is none.
func (c *call) findMethod() method {
	name := c.message.method
	switch {
	case name == "tools/list":
		return (*call).listTools
	case name == "tools/call":
		return (*call).callTool
	case c.modern && name == "server/discover":
		return (*call).discoverServer
	case !c.modern && name == "initialize":
		return (*call).initializeSession
	case !c.modern && name == "ping":
		return (*call).answerPing
	case !c.endpoint.resources:
		return nil
	case name == "resources/list":
		return (*call).listResources
	case name == "resources/templates/list":
		return (*call).listTemplates
	case name == "resources/read":
		return (*call).readResource
	}
	return nil
}

const serverInfo = `{"name":"colophon","title":"Colophon","version":"` + exports.Version + `"}`

// wrapResult completes a result for its era and wraps it.
func (c *call) wrapResult(result object) []byte {
	if c.modern {
		result.json("resultType", `"complete"`)
		result = result.mergeInto("_meta", metaServer, serverInfo)
	}
	b := append(make([]byte, 0, len(c.message.id.Text)+result.size()+64), `{"id":`...)
	b = append(c.message.id.Append(b), `,"jsonrpc":"2.0","result":`...)
	return append(result.append(b), '}')
}

// mergeInto adds one member to the object under the name at.
func (o object) mergeInto(at, name, json string) object {
	for i := range o {
		if o[i].name == at && len(o[i].json) > 2 {
			inner := append(append([]byte(`{"`), name...), `":`...)
			inner = append(append(append(inner, json...), ','), o[i].json[1:]...)
			o[i].json = inner
			return o
		}
	}
	o.json(at, `{"`+name+`":`+json+`}`)
	return o
}

// listCapabilities returns what the endpoint declares.
func (e *endpoint) listCapabilities() string {
	if e.resources {
		return `{"resources":{},"tools":{}}`
	}
	return `{"tools":{}}`
}

func (c *call) discoverServer(context.Context) (object, *rpcError) {
	var o object
	o.json("capabilities", c.endpoint.listCapabilities())
	o.text("instructions", c.endpoint.instructions)
	o.value("supportedVersions", wire.Strings(Supported...))
	c.setCacheLife(&o, shared)
	return o, nil
}

func (c *call) initializeSession(context.Context) (object, *rpcError) {
	version, ok := c.message.params.Get("protocolVersion").Str()
	if !ok {
		return nil, invalidParams("protocolVersion must be a string")
	}
	if !isLegacy(version) {
		version = version25b
	}
	var o object
	o.json("capabilities", c.endpoint.listCapabilities())
	o.text("instructions", c.endpoint.instructions)
	o.text("protocolVersion", version)
	o.json("serverInfo", serverInfo)
	return o, nil
}

func (c *call) answerPing(context.Context) (object, *rpcError) { return nil, nil }

// life is how long, and by whom, an answer may be cached.
type life struct{ scope, ms string }

var (
	shared  = life{"public", "300000"}
	private = life{"private", "0"}
)

// setCacheLife tells a modern client how long an answer may be cached. What
// depends on the caller is never cached.
func (c *call) setCacheLife(o *object, l life) {
	if c.modern {
		o.text("cacheScope", l.scope)
		o.json("ttlMs", l.ms)
	}
}

// onePage refuses a cursor, because a list of one page gives out none.
func (c *call) onePage() *rpcError {
	if c.message.params.Get("cursor") != nil {
		return invalidParams("cursor is not one that this server gave")
	}
	return nil
}

func (c *call) listTools(context.Context) (object, *rpcError) {
	if err := c.onePage(); err != nil {
		return nil, err
	}
	var o object
	o.raw("tools", c.endpoint.tools.listTools())
	c.setCacheLife(&o, shared)
	return o, nil
}
