package manifest

import (
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// Discovery is the manifest at exports.PathDiscovery.
type Discovery struct {
	Head
	Service string // name of the service
	BaseURL string
	Totals  exports.Stats
}

func (d *Discovery) Members(m *wire.Members) {
	d.Head.Members(m)
	m.String("base_url", &d.BaseURL)
	boundaryMembers(m)
	m.Nested("mcp", func(m *wire.Members) {
		m.Const("gateway", "/mcp/gateway")
		m.Const("per_publisher_template", "/mcp/publisher/{site_id}")
		m.Const("protocol_version", exports.MCPVersion)
		m.Const("public", "/mcp")
	})
	m.String("service", &d.Service)
	rows, wellKnown := openSurfaces()
	wire.List(m, "surfaces", &rows)
	m.Object("totals", &d.Totals)
	m.Strings("well_known", &wellKnown)
}

// openSurfaces returns the endpoints that need no credential, and the paths of
// those below /.well-known/.
func openSurfaces() (rows []surface, wellKnown []string) {
	for i := range exports.Surface {
		e := &exports.Surface[i]
		if e.Auth != exports.Open {
			continue
		}
		if strings.HasPrefix(e.Path, "/.well-known/") {
			wellKnown = append(wellKnown, e.Path)
		}
		rows = append(rows, surface{e})
	}
	return rows, wellKnown
}

type surface struct{ e *exports.Endpoint }

func (s *surface) Members(m *wire.Members) {
	e := endpointOf(s.e)
	auth, files := string(e.Auth), e.Made == exports.FromFile
	m.String("auth", &auth)
	m.String("href", &e.Path)
	m.String("id", &e.ID)
	m.String("media_type", &e.Media)
	m.Enum("method", &e.Method, "GET", "POST")
	m.String("purpose", &e.Purpose)
	m.Bool("static", &files)
}

// endpointOf returns a copy of an endpoint, an empty one in a description.
func endpointOf(e *exports.Endpoint) exports.Endpoint {
	if e == nil {
		return exports.Endpoint{}
	}
	return *e
}

// Developer is the manifest at exports.PathDeveloper: every endpoint.
type Developer struct{ Head }

func (d *Developer) Members(m *wire.Members) {
	d.Head.Members(m)
	rows := make([]endpoint, 0, len(exports.Surface))
	for i := range exports.Surface {
		rows = append(rows, endpoint{&exports.Surface[i]})
	}
	wire.List(m, "endpoints", &rows)
	m.Const("errors", "/problems/")
	m.Const("openapi", exports.PathOpenAPI)
}

type endpoint struct{ e *exports.Endpoint }

func (x *endpoint) Members(m *wire.Members) {
	e := endpointOf(x.e)
	auth, files := string(e.Auth), e.Made == exports.FromFile
	body := ""
	if e.Body != "" {
		body = exports.PathOpenAPI + "#/components/schemas/" + e.Body
	}
	query := make([]parameter, 0, len(e.Query))
	for i := range e.Query {
		query = append(query, parameter{&e.Query[i]})
	}
	m.String("auth", &auth)
	m.OptString("body_schema", &body)
	m.String("group", &e.Group)
	m.String("id", &e.ID)
	m.String("intended_use", &e.Purpose)
	m.String("media_type", &e.Media)
	m.Enum("method", &e.Method, "GET", "POST")
	m.String("path", &e.Path)
	wire.List(m, "query", &query)
	m.OptString("rate_policy", &e.Limits)
	m.OptString("scope", &e.Scope)
	m.Bool("static", &files)
}

type parameter struct{ p *exports.Param }

func (x *parameter) Members(m *wire.Members) {
	var p exports.Param
	if x.p != nil {
		p = *x.p
	}
	m.OptString("default", &p.Default)
	m.OptBool("list", &p.List)
	m.OptInt("max", &p.Max)
	m.String("name", &p.Name)
	m.String("purpose", &p.Purpose)
	m.Flag("required", false)
	m.Enum("type", &p.Type, "string", "integer", "boolean")
	m.OptStrings("values", &p.Values)
}
