package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"colophon/internal/catalog"
	"colophon/internal/demo/corpus"
	"colophon/internal/staticindex"
)

// served sends the queries to a running service, one after another, over
// persistent connections; its published files are in dir. It prints how long
// answers took, and fails if one differs from what the files give when they are
// read here.
func served(ctx context.Context, c *corpus.Generator, base, dir string, n int, out io.Writer) error {
	q := catalog.New(&folder{dir: dir}, time.Now)
	by := map[string]*figures{}
	var first int64
	for k := range n {
		one := c.Query(k)
		want, err := q.SearchCatalog(ctx, staticindex.Ask{Q: one.Q, Limit: "10"})
		if err != nil {
			return err
		}
		from := time.Now()
		status, body, err := fetch(ctx, base+"/v1/public/content-catalog/search?limit=10&q="+url.QueryEscape(one.Q))
		if err != nil {
			return err
		}
		micros := time.Since(from).Microseconds()
		var got struct {
			Data []struct {
				EntryID string `json:"entry_id"`
			} `json:"data"`
			Page struct {
				Total int64 `json:"total"`
			} `json:"page"`
		}
		if status != http.StatusOK {
			return fmt.Errorf("%q: status %d: %s", one.Q, status, body)
		}
		if err := json.Unmarshal(body, &got); err != nil {
			return fmt.Errorf("%q: %w", one.Q, err)
		}
		same := got.Page.Total == want.Page.Total && len(got.Data) == len(want.Data)
		for i := range got.Data {
			same = same && got.Data[i].EntryID == want.Data[i].EntryID
		}
		if !same {
			return fmt.Errorf("%q: the service finds %d pages, its files say %d, or in another order", one.Q, got.Page.Total, want.Page.Total)
		}
		if k == 0 {
			first = micros
			continue
		}
		for _, kind := range []string{one.Kind, "all"} {
			if by[kind] == nil {
				by[kind] = &figures{}
			}
			by[kind].micros = append(by[kind].micros, micros)
		}
	}
	fmt.Fprintf(out, "served, limit 10, %d questions one after the other, all answered as the files say; the first took %d µs\n", n, first)
	for _, kind := range []string{"one", "two", "three", "prefix", "typo", "common", "all"} {
		if x := by[kind]; x != nil {
			fmt.Fprintf(out, "  %-7s %5d   micros p50 p95 p99 worst %s\n", kind, len(x.micros), spread(x.micros))
		}
	}
	return nil
}

func fetch(ctx context.Context, address string) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, body, err
}
