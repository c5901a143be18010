// Package mcp implements the Model Context Protocol over stateless HTTP POST:
// the public endpoint /mcp, one endpoint for each publisher below
// /mcp/publisher/, and the gateway for buyers. It serves protocol version
// 2026-07-28 natively, and clients of 2025-11-25 and 2025-06-18 from the same
// handler; each request shows by itself which it is. Nothing is kept between
// requests.
//
// Every message is one POST and has one JSON answer. For example
//
//	POST /mcp
//	Content-Type: application/json
//	MCP-Protocol-Version: 2026-07-28
//	Mcp-Method: tools/call
//	Mcp-Name: get_network_stats
//
//	{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_network_stats",
//	 "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
//	          "io.modelcontextprotocol/clientCapabilities":{}}}}
//
// is answered with the totals that GET /v1/public/network-stats sends, as
// structuredContent. A tool adapts a query and never implements a second one:
// one table (see Tool) gives its schemas, its place in the list, its dispatch
// and its documentation, and Files gives it the bytes of the REST answer.
//
// Text written by publishers appears only inside that JSON, never in a sentence
// of the service, and each result names the members that hold it. Every result
// says that it grants no rights, except a gateway result that shows an active
// grant.
package mcp
