package render

import (
	"net/url"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// agentCatalog is the path of the AI Catalog.
const agentCatalog = ".well-known/ai-catalog.json"

// agentCatalogOf returns an AI Catalog 0.9 (Agent-Card/ai-catalog v0.9.0 of 22
// November 2026, the candidate for 1.0) with the server card of the public MCP
// endpoint (SEP-2127, as of 24 July 2026). Both specifications allow the card
// to be embedded in the catalog. The entry has the registry's name instead of
// the card's title.
func agentCatalogOf(s *Service) (Document, error) {
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		return Document{}, err
	}
	host := base.Hostname()
	entry := wire.Object(
		wire.M("data", serverCard(s.BaseURL, host)),
		wire.M("displayName", wire.String(s.Name)),
		wire.M("identifier", wire.String("urn:air:"+host+":colophon:mcp")),
		wire.M("type", wire.String("application/mcp-server-card+json")),
	)
	catalog := wire.Object(
		wire.M("entries", wire.Array(entry)),
		wire.M("host", wire.Object(
			wire.M("displayName", wire.String(s.Name)),
			wire.M("documentationUrl", wire.String(s.BaseURL+"/developers/mcp/")),
			wire.M("identifier", wire.String(host)),
		)),
		wire.M("specVersion", wire.String("0.9")),
	)
	return fileAt(agentCatalog, catalog.Append(nil)), nil
}

// serverCard describes the public MCP endpoint to clients that have not
// connected yet. The card's name begins with the host in reverse order.
func serverCard(base, host string) wire.Value {
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	remote := wire.Object(
		wire.M("type", wire.String("streamable-http")),
		wire.M("url", wire.String(base+"/mcp")),
	)
	return wire.Object(
		wire.M("$schema", wire.String("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json")),
		wire.M("description", wire.String("Find publishers, their pages and their stated AI rights. Read-only; grants no rights.")),
		wire.M("name", wire.String(strings.Join(labels, ".")+"/colophon")),
		wire.M("remotes", wire.Array(remote)),
		wire.M("title", wire.String("Colophon")),
		wire.M("version", wire.String(exports.Version)),
		wire.M("websiteUrl", wire.String(base+"/developers/mcp/")),
	)
}
