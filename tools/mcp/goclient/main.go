// Command goclient calls the MCP endpoints of a running server with the
// official Go client, in the current protocol version and in older ones.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	site     = flag.String("site", "", "a publisher")
	category = flag.String("category", "", "a category")
	word     = flag.String("q", "", "a word to search for")
	topic    = flag.String("topic", "", "a word to search licensed items for")
	token    = flag.String("token", "", "a buyer credential; without it the gateway's tools are not called")
	denied   = flag.String("denied", "", "a resource that the buyer may not read")
)

type arguments map[string]any

type call struct {
	tool      string
	arguments arguments
	refused   bool
}

func endpoints() map[string][]call {
	all := map[string][]call{
		"/mcp": {
			{"search_content_catalog", arguments{"q": *word, "limit": 3}, false},
			{"search_content_catalog", arguments{}, true},
			{"list_marketplace_categories", nil, false},
			{"get_marketplace_category", arguments{"category_slug": *category}, false},
			{"list_marketplace_publishers", arguments{"limit": 1}, false},
			{"get_publisher", arguments{"site_id": *site}, false},
			{"get_publisher", arguments{"site_id": "nobody-here"}, true},
			{"get_publisher_inventory", arguments{"site_id": *site}, false},
			{"get_network_stats", nil, false},
		},
		"/mcp/publisher/" + *site: {
			{"get_publisher", nil, false},
			{"get_publisher_inventory", arguments{"q": *word}, false},
		},
	}
	if *token != "" {
		all["/mcp/gateway"] = []call{
			{"rights_overview", nil, false},
			{"list_licensed_sources", nil, false},
			{"search_licensed_content", arguments{"q": *topic}, false},
			{"read_licensed_content", arguments{"uri": "licensed://nobody/ent_x"}, true},
		}
	}
	return all
}

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: goclient [flags] BASE")
		os.Exit(2)
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	visits, failed := 0, 0
	for _, version := range []string{"", "2025-11-25", "2025-06-18"} {
		report := func(where string, err error) {
			visits++
			if err != nil {
				failed++
				fmt.Fprintf(os.Stderr, "version %q%s: %v\n", version, where, err)
			}
		}
		for path, calls := range endpoints() {
			report(" at "+path, visit(ctx, flag.Arg(0)+path, version, calls, path == "/mcp/gateway"))
		}
		report("", strangers(ctx, flag.Arg(0), version))
	}
	fmt.Printf("Go client 1.8.0: %d visits, %d failed\n", visits, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

// bearer adds a credential to each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func connect(ctx context.Context, url, version string, credential bearer) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "colophon-check", Version: "1"}, nil)
	return client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: credential}}, &mcp.ClientSessionOptions{ProtocolVersion: version})
}

func visit(ctx context.Context, url, version string, calls []call, gateway bool) error {
	credential := bearer("")
	if gateway {
		credential = bearer(*token)
	}
	s, err := connect(ctx, url, version, credential)
	if err != nil {
		return err
	}
	defer s.Close()
	want := version
	if want == "" {
		want = "2026-07-28"
	}
	if got := s.InitializeResult().ProtocolVersion; got != want {
		return fmt.Errorf("version %s, want %s", got, want)
	}
	if _, err := s.ListTools(ctx, nil); err != nil {
		return err
	}
	for _, c := range calls {
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
		if err != nil {
			return fmt.Errorf("%s: %w", c.tool, err)
		}
		if r.IsError != c.refused || len(r.Content) != 2 || (r.StructuredContent == nil) != c.refused {
			return fmt.Errorf("%s %v: unexpected %+v", c.tool, c.arguments, r)
		}
	}
	if err := expect(func() error {
		_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "no_such_tool"})
		return err
	}, -32602); err != nil {
		return err
	}
	if gateway {
		if err := readFound(ctx, s); err != nil {
			return err
		}
		if err := resources(ctx, s); err != nil {
			return err
		}
	}
	_, err = s.ListTools(ctx, nil) // the session survives the errors
	return err
}

// readFound searches for a licensed item and reads it.
func readFound(ctx context.Context, s *mcp.ClientSession) error {
	r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "search_licensed_content", Arguments: arguments{"q": *topic}})
	if err != nil {
		return err
	}
	found, _ := r.StructuredContent.(map[string]any)
	items, _ := found["data"].([]any)
	if len(items) == 0 {
		return fmt.Errorf("no licensed item about %q", *topic)
	}
	first, _ := items[0].(map[string]any)
	r, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "read_licensed_content", Arguments: arguments{"uri": first["uri"]}})
	if err != nil {
		return err
	}
	read, _ := r.StructuredContent.(map[string]any)
	content, _ := read["content"].(map[string]any)
	if text, _ := content["text"].(string); r.IsError || text == "" || read["uri"] != first["uri"] {
		return fmt.Errorf("read %v: unexpected %+v", first["uri"], r)
	}
	return nil
}

func resources(ctx context.Context, s *mcp.ClientSession) error {
	list, err := s.ListResources(ctx, nil)
	if err != nil || len(list.Resources) == 0 {
		return fmt.Errorf("resources %v: %w", list, err)
	}
	uri := list.Resources[0].URI
	got, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil || len(got.Contents) != 1 || got.Contents[0].Text == "" {
		return fmt.Errorf("read %v: %w", got, err)
	}
	read := func(uri string) func() error {
		return func() error {
			_, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
			return err
		}
	}
	if err := expect(read("licensed://nobody/ent_x"), -32602); err != nil {
		return err
	}
	if *denied == "" {
		return nil
	}
	return expect(read(*denied), 40300)
}

// strangers makes calls without a credential and calls about a publisher that
// does not exist.
func strangers(ctx context.Context, base, version string) error {
	s, err := connect(ctx, base+"/mcp/gateway", version, "")
	if err != nil {
		return err
	}
	defer s.Close()
	tools, err := s.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 4 {
		return fmt.Errorf("tools of the gateway: %v %w", tools, err)
	}
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "rights_overview"}); err == nil {
		return errors.New("the gateway let a stranger in")
	}
	if s, err := connect(ctx, base+"/mcp/publisher/nobody-here", version, ""); err == nil {
		s.Close()
		return errors.New("an unknown publisher answers")
	}
	if *token == "" {
		return nil
	}
	if s, err := connect(ctx, base+"/mcp/gateway", version, "byr_test_wrong"); err == nil {
		s.Close()
		return errors.New("the gateway takes a wrong credential")
	}
	return nil
}

// expect runs f, which must fail with that JSON-RPC error code.
func expect(f func() error, code int64) error {
	err := f()
	var e *jsonrpc.Error
	if !errors.As(err, &e) || e.Code != code {
		return fmt.Errorf("error %v, want code %d", err, code)
	}
	return nil
}
