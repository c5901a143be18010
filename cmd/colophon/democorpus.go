package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/natefinch/atomic"

	"colophon/internal/originsql"
)

// demoCorpusFile is a small invented data set, in which some of the demo's pages
// are.
const demoCorpusFile = "corpus.jsonl"

// writeDemoCorpus writes addresses of a data set as a crawl would have them:
// some registered, some of registered publishers only, some of nobody.
func (e *env) writeDemoCorpus(ctx context.Context, store *originsql.Store) error {
	sites, err := store.Sites(ctx)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	n := 0
	add := func(url string) {
		n++
		to.Encode(map[string]string{"url": url}) //nolint:errcheck // a buffer never fails
	}
	for _, s := range sites {
		pages, err := store.PagesOf(ctx, s.SiteID, "", 12)
		if err != nil {
			return err
		}
		for i, p := range pages {
			switch i % 4 {
			case 0:
				add(p.CanonicalURL)
			case 1:
				add(strings.Replace(p.CanonicalURL, "https://", "http://www.", 1) + "?utm_source=newsletter#top")
			case 2:
				add(strings.TrimSuffix(s.SiteURL, "/") + fmt.Sprintf("/unregistered/%d", n))
			default:
				add(fmt.Sprintf("https://elsewhere.example/page/%d", n))
			}
		}
	}
	return atomic.WriteFile(e.File(demoCorpusFile), &out)
}
