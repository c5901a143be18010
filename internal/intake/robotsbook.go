package intake

import (
	"context"
	"net/http"
	"net/url"
	"sync"

	"colophon/internal/channel"
)

// agent is our product token: in User-Agent and in robots.txt.
const agent = "Colophon"

// robotsBook remembers the robots.txt of each origin for one import.
type robotsBook struct {
	mu    sync.Mutex
	pages map[string]*robotsPage
}

// robotsPage is one robots.txt: the document as found, and its rules for us.
type robotsPage struct {
	once    sync.Once
	answer  *answer // nil if unreachable
	rules   channel.CrawlRules
	problem *problem
}

func (b *robotsBook) pageOf(origin string) *robotsPage {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pages == nil {
		b.pages = map[string]*robotsPage{}
	}
	if b.pages[origin] == nil {
		b.pages[origin] = &robotsPage{}
	}
	return b.pages[origin]
}

// readRobots reads the robots.txt of the origin of u, once. If it cannot be read
// because the site is in trouble, nothing may be fetched (RFC 9309, section
// 2.3.1.4); if there is none, everything may.
func (f *fetcher) readRobots(ctx context.Context, u *url.URL) *robotsPage {
	page := f.book.pageOf(u.Scheme + "://" + u.Host)
	page.once.Do(func() {
		at := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
		a, p := f.fetchDocument(ctx, request{url: at, accept: "text/plain, */*;q=0.1", limit: maxRaw, truncate: true, anyway: true})
		if p != nil {
			page.problem = failedProblem(p.code, "robots.txt of %s cannot be read: %s", u.Host, p.detail)
			page.problem.system = p.system
			if p.code != "private_address" && p.code != "interrupted" {
				page.problem.code = "robots_unreachable"
			}
			return
		}
		page.answer = a
		switch {
		case a.status == http.StatusTooManyRequests || a.status >= 500:
			page.problem = failedProblem("robots_unreachable", "robots.txt of %s answers %d", u.Host, a.status)
		case a.status == http.StatusOK:
			page.rules = readRules(a.body)
		}
	})
	return page
}

// readRules returns the rules of a robots.txt for us, with a delay up to
// maxCrawlDelay.
func readRules(body []byte) channel.CrawlRules {
	rules := channel.ParseCrawlRules(body, agent)
	rules.Delay = min(rules.Delay, maxCrawlDelay)
	return rules
}
