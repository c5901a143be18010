package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"colophon/internal/enrol"
)

// DataSet writes addresses of a data set as a crawl would have them: some
// registered, some of registered publishers but not registered, and some of
// unknown sites.
func DataSet(ctx context.Context, store enrol.Store, w io.Writer) error {
	sites, err := store.Sites(ctx)
	if err != nil {
		return err
	}
	to := json.NewEncoder(w)
	to.SetEscapeHTML(false)
	n := 0
	add := func(url string) {
		n++
		if err == nil {
			err = to.Encode(map[string]string{"url": url})
		}
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
	return err
}
