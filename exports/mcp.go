package exports

import "colophon/internal/wire"

// MCPVersion is the version of the Model Context Protocol that is spoken.
const MCPVersion = "2026-07-28"

// MCPEndpoint describes the MCP endpoint of one publisher.
type MCPEndpoint struct {
	Base     string // base URL
	SiteID   string
	Versions []string // supported versions of the protocol
	Tools    []MCPTool
}

func (d *MCPEndpoint) Members(m *wire.Members) {
	DerivedLink(m, "endpoint", d.Base+"/mcp/publisher/"+d.SiteID)
	DerivedLink(m, "gateway", d.Base+"/mcp/gateway")
	m.Flag("grants_rights", false)
	m.Const("licensed_content", "credential-gated")
	m.Const("protocol_version", MCPVersion)
	DerivedLink(m, "publisher", d.Base+PublisherPath(d.SiteID))
	DerivedLink(m, "rights_check", d.Base+PathRightsCheck+"?site_id="+d.SiteID)
	m.String("site_id", &d.SiteID)
	m.Strings("supported_versions", &d.Versions)
	wire.List(m, "tools", &d.Tools)
	m.Const("transport", "http-stateless")
}

// MCPTool describes a tool.
type MCPTool struct{ Name, Title, Description string }

func (t *MCPTool) Members(m *wire.Members) {
	m.String("description", &t.Description)
	m.String("name", &t.Name)
	m.String("title", &t.Title)
}
