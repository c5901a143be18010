package mcp_test

import (
	"context"
	"testing"

	"colophon/worker/mcp"
)

// BenchmarkToolCall measures the handler alone: parsing, checking and answering
// one call, without HTTP.
func BenchmarkToolCall(b *testing.B) {
	h := service()
	r := modernTool("/mcp", "get_publisher", `{"site_id":"harbor-ledger"}`)
	b.ReportAllocs()
	for b.Loop() {
		if resp := h(context.Background(), r); resp.Status != 200 {
			b.Fatal(resp.Status)
		}
	}
}

// BenchmarkNew measures the cost of a start.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mcp.New(mcp.Config{BaseURL: base})
	}
}
