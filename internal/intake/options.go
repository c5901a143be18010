package intake

import (
	"cmp"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/extract"
)

// Options says what Import reads, and how. The zero value of a field with a
// default means that default.
type Options struct {
	SiteID   string // site whose pages these are; it must exist
	Source   string // http(s) address, file path, or "-" for NDJSON on Stdin
	Base     string // address below which the pages of a folder or an export are published
	FullText bool   // the items of a feed hold the text of their pages
	Contact  string // mail or web address sent in User-Agent; needed unless AllowPrivate

	NoIndex  string   // what becomes of pages that ask search engines to leave them out: skip or keep, default skip
	Partners []string // hosts that the publisher's own articles are syndicated to

	Withdrawn func(address string) bool // pages that the publisher's own file withdraws, nil none

	AllowPrivate bool              // loopback, private and link-local addresses may be reached
	ConnectTo    map[string]string // "host:port" -> "address:port" to dial instead, unguarded

	Registry string         // base address of the registry that asks
	Resolver *net.Resolver  // of DNS TXT records, default the system's
	Roots    *x509.CertPool // of certificates, default the system's

	PerHost  int           // requests in flight for one host, default 2
	MaxPages int           // pages listed at most, default 100,000
	MaxBytes int64         // one page after decompression, default 8 MiB
	Timeout  time.Duration // one request with its body, default 30 s

	Retries   int           // after a failure that may pass, default 3, below 0 none
	RetryWait time.Duration // before the first retry, doubled for each next, default 500 ms

	Grace time.Duration // how long a page may be gone before its entry is withdrawn, default 14 days, below 0 none

	Stdin    io.Reader        // for Source "-"
	Now      func() time.Time // clock, default time.Now
	Progress func(Event)      // called after each page, from one goroutine
}

// What an import does unless its options say otherwise.
const (
	DefaultPerHost  = 2
	DefaultMaxPages = 100_000
)

// graceDays is how long a page may be gone before its entry is withdrawn.
const graceDays = 14

// ErrUsage is wrapped by errors that other options would avoid.
var ErrUsage = errors.New("cannot import")

// Limits that no option changes.
const (
	maxSitemaps     = 10_000    // documents of one import
	maxSitemapURLs  = 50_000    // entries of one document, as the protocol says
	maxSitemapBytes = 50 << 20  // one document after decompression, as the protocol says
	maxSitemapDepth = 3         // indexes within indexes
	maxRedirects    = 5         // for one request
	maxHeaderBytes  = 256 << 10 // of one answer
	maxElements     = 250_000   // HTML elements of one page
	maxRaw          = 512 << 10 // bytes kept of one observation
	maxCrawlDelay   = 10 * time.Second
	maxRetryWait    = 30 * time.Second
	resumeWithin    = 24 * time.Hour // an older unfinished run is not taken up
	window          = 8              // pages fetched or waiting ahead of the one being committed
)

func (o Options) withDefaults() (Options, error) {
	if !exports.ValidSiteID(o.SiteID) {
		return o, usageError("site id %q is not a publisher identifier", o.SiteID)
	}
	if o.Source == "" {
		return o, usageError("no source: give the address of a sitemap, a feed or a page, or an NDJSON file")
	}
	if o.Source == "-" && o.Stdin == nil {
		return o, usageError("no standard input to read NDJSON from")
	}
	if extract.IsWeb(o.Source) && o.Contact == "" && !o.AllowPrivate {
		return o, usageError("no contact: sites must be able to reach whoever imports from them; give a mail or web address")
	}
	if !isPrintable(o.Contact) {
		return o, usageError("contact %q cannot stand in a User-Agent", o.Contact)
	}
	o.PerHost = cmp.Or(o.PerHost, DefaultPerHost)
	o.MaxPages = cmp.Or(o.MaxPages, DefaultMaxPages)
	o.MaxBytes = cmp.Or(o.MaxBytes, 8<<20)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.Retries = cmp.Or(o.Retries, 3)
	o.RetryWait = cmp.Or(o.RetryWait, 500*time.Millisecond)
	o.Grace = cmp.Or(o.Grace, graceDays*24*time.Hour)
	o.Retries = max(o.Retries, 0)
	if o.PerHost < 0 || o.MaxPages < 0 || o.MaxBytes < 0 || o.Timeout < 0 || o.RetryWait < 0 {
		return o, usageError("a limit is below zero")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	return o, nil
}

func (o *Options) partners() map[string]bool {
	hosts := map[string]bool{}
	for _, host := range o.Partners {
		hosts[strings.ToLower(host)] = true
	}
	return hosts
}

func isPrintable(s string) bool {
	for _, r := range s {
		if r < ' ' || r > '~' || r == '(' || r == ')' {
			return false
		}
	}
	return len(s) <= 200
}

// formatInstant returns an instant as the store keeps it.
func formatInstant(t time.Time) string { return t.UTC().Truncate(time.Second).Format(time.RFC3339) }
