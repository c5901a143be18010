package intake

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"colophon/internal/channel"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Own is the result of looking for a publisher's own file at one host.
type Own struct {
	Host    string
	Address string // where the file is, or would be
	Status  int    // of HTTP, 0 unreachable
	Body    []byte
	Reading *publisherfile.Reading // nil when there is none that can be read
	Problem string                 // why not, "" when it was read
	Void    bool                   // a publisher's file is there, and has mistakes: nothing that it says counts
	Proof   origin.HostProof       // by which the file is the host's; no method when nothing shows it
	House   *Own                   // the file whose policy applies, when it lists the host in return
	Notes   []string               // what was found but does not count
	System  []string               // what this machine or its network said, for its operator
	At      string
}

// Gone reports that the file is gone, as the host itself says.
func (o *Own) Gone() bool { return o.Status == http.StatusNotFound || o.Status == http.StatusGone }

// Observation returns what an import keeps of the file.
func (o *Own) Observation(siteID string) origin.Observation {
	raw := validText(o.Body)
	return origin.Observation{
		SiteID: siteID, Channel: string(statements.PublisherFile), URL: o.Address, Status: int64(o.Status),
		ContentType: "application/json", Raw: raw, SHA256: wire.SHA256Hex([]byte(raw)), FetchedAt: o.At,
	}
}

// validText returns a document as a text that the store takes.
func validText(b []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(b), "\ufffd"), "\x00", "\ufffd")
}

// Prover looks for publishers' own files and for proofs that hosts belong to
// them. It uses the network as an import does.
type Prover struct {
	opt   Options
	fetch *fetcher
}

// NewProver returns a prover. Close it after use.
func NewProver(opt Options) (*Prover, error) {
	opt.SiteID, opt.Source = "looked-at", "https://looked-at.example/"
	if opt.Retries == 0 {
		opt.Retries = 1
	}
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	if opt.Resolver == nil {
		opt.Resolver = net.DefaultResolver
	}
	return &Prover{opt, newFetcher(opt)}, nil
}

// Close ends idle connections.
func (p *Prover) Close() { p.fetch.close() }

// Find looks for the file of a host: at the well-known address or, if there is
// none, at the address that a Link field, a link element or a DNS TXT record of
// the host names. A file elsewhere counts for the host if the host names it and
// it claims the host.
func (p *Prover) Find(ctx context.Context, host string) *Own {
	own := p.readFile(ctx, host, "https://"+host+publisherfile.WellKnown)
	if own.Status == http.StatusOK || !own.Gone() {
		p.followHouse(ctx, own)
		return own
	}
	for _, named := range p.listNamed(ctx, host) {
		found := p.readFile(ctx, host, named.target)
		if found.Status != http.StatusOK {
			own.Notes = append(own.Notes, fmt.Sprintf("%s names %s, which cannot be read: %s", named.proof.Address, named.target, found.Problem))
			own.System = append(own.System, found.System...)
			continue
		}
		if elsewhere := HostOf(found.Address) != host; elsewhere {
			found.Proof = named.proof
			if found.Reading != nil && !slices.Contains(found.Reading.Hosts, host) {
				own.Notes = append(own.Notes, fmt.Sprintf("%s does not list %s among its hosts", found.Address, host))
				continue
			}
		}
		p.followHouse(ctx, found)
		return found
	}
	return own
}

// HostOf returns the host of an address without its port, "" if it is not valid.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// readFile gets one file over HTTPS, without leaving its host.
func (p *Prover) readFile(ctx context.Context, host, address string) *Own {
	own := &Own{Host: host, Address: address, At: formatInstant(p.opt.Now())}
	if !strings.HasPrefix(address, "https://") {
		own.Problem = "it is not at an https address"
		return own
	}
	a, problem := p.fetchOverHTTPS(ctx, address, "application/json", publisherfile.MaxBytes+1)
	if problem != nil {
		own.Problem = problem.detail
		if problem.system != "" {
			own.System = append(own.System, address+": "+problem.system)
		}
		return own
	}
	own.Status = a.status
	if a.status != http.StatusOK {
		own.Problem = fmt.Sprintf("%s answers %d", address, a.status)
		return own
	}
	own.Body = a.body
	own.Proof = origin.HostProof{Host: host, Method: "well_known", Address: address, Digest: wire.SHA256Hex(a.body)}
	reading, err := publisherfile.Read(a.body)
	if err != nil {
		own.Problem = err.Error()
		own.Void = publisherfile.Resembles(a.body)
		return own
	}
	own.Reading = reading
	if !p.speaksToUs(reading) {
		own.Reading, own.Problem = nil, "the file speaks to other registries: "+strings.Join(reading.Registries, ", ")
	}
	return own
}

func (p *Prover) fetchOverHTTPS(ctx context.Context, address, accept string, limit int64) (*answer, *problem) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, failedProblem("bad_url", "%v", err)
	}
	return p.fetch.fetchDocument(ctx, request{url: at, accept: accept, limit: limit, truncate: true, anyway: true, stay: true})
}

func (p *Prover) speaksToUs(f *publisherfile.Reading) bool {
	if len(f.Registries) == 0 {
		return true
	}
	return slices.ContainsFunc(f.Registries, func(r string) bool {
		return strings.TrimSuffix(r, "/") == strings.TrimSuffix(p.opt.Registry, "/")
	})
}

// followHouse reads the file whose policy applies. It counts only when it
// lists the host in return.
func (p *Prover) followHouse(ctx context.Context, own *Own) {
	if own.Reading == nil || own.Reading.PolicyOf == "" || own.Reading.PolicyOf == own.Address {
		return
	}
	house := p.readFile(ctx, HostOf(own.Reading.PolicyOf), own.Reading.PolicyOf)
	switch {
	case house.Reading == nil:
		own.Notes = append(own.Notes, fmt.Sprintf("policy_of %s cannot be read: %s", house.Address, house.Problem))
		own.System = append(own.System, house.System...)
	case !slices.Contains(house.Reading.Hosts, own.Host):
		own.Notes = append(own.Notes, fmt.Sprintf("policy_of %s does not list %s among its hosts; it gives the site nothing", house.Address, own.Host))
	default:
		own.House = house
	}
}

// Token returns the text by which a DNS TXT record or a meta element of a host
// proves, to one registry, that it belongs to one publisher.
func Token(registry, siteID, host string) string {
	sum := sha256.Sum256([]byte("colophon control\x00" + strings.TrimSuffix(registry, "/") + "\x00" + siteID + "\x00" + host))
	return "colophon-control=" + hex.EncodeToString(sum[:16])
}

// TXTName returns the name of the DNS record that is looked up for a host.
func TXTName(host string) string { return "_colophon." + host }

// Prove looks for a proof that a host belongs to a publisher, whose own file is
// at address with that body ("" and nil if it has none): a DNS TXT record, a
// file at the host's own well-known address that is the same or points to the
// file, or a link or meta element of the host's home page. If there is no
// proof, the result has no method, and the texts say why.
func (p *Prover) Prove(ctx context.Context, siteID, host, address string, body []byte) (proof origin.HostProof, why []string) {
	wanted := []string{Token(p.opt.Registry, siteID, host)}
	if address != "" {
		wanted = append(wanted, publisherfile.Rel+"="+address)
	}
	records, err := p.opt.Resolver.LookupTXT(ctx, TXTName(host))
	for _, r := range records {
		if slices.Contains(wanted, strings.TrimSpace(r)) {
			return origin.HostProof{Host: host, Method: "dns_txt", Address: TXTName(host), Digest: wire.SHA256Hex([]byte(r))}, nil
		}
	}
	why = append(why, fmt.Sprintf("%s has %d TXT records, none with %s", TXTName(host), len(records), wanted[0]))
	if err != nil && len(records) == 0 {
		why[0] = fmt.Sprintf("%s has no TXT record: %v", TXTName(host), err)
	}
	if address != "" {
		copied := p.readFile(ctx, host, "https://"+host+publisherfile.WellKnown)
		same := copied.Status == http.StatusOK && bytes.Equal(copied.Body, body)
		points := copied.Reading != nil && copied.Reading.PolicyOf == address
		if copied.Address == address || same || points {
			if copied.Proof.Method != "" {
				return copied.Proof, nil
			}
		}
		why = append(why, fmt.Sprintf("%s is not the same file and does not point to it", copied.Address))
	}
	for _, n := range p.listHomePage(ctx, host) {
		if n.target == address && address != "" || n.target == wanted[0] {
			return n.proof, nil
		}
	}
	return origin.HostProof{}, append(why, fmt.Sprintf("the home page of %s does not name the file", host))
}

// named is an address, or a token, that a host names.
type named struct {
	target string
	proof  origin.HostProof
}

// listNamed lists the addresses of files that a host names, in its home page or in
// DNS.
func (p *Prover) listNamed(ctx context.Context, host string) []named {
	var out []named
	for _, n := range p.listHomePage(ctx, host) {
		if strings.HasPrefix(n.target, "https://") {
			out = append(out, n)
		}
	}
	records, _ := p.opt.Resolver.LookupTXT(ctx, TXTName(host))
	for _, r := range records {
		if target, ok := strings.CutPrefix(strings.TrimSpace(r), publisherfile.Rel+"="); ok {
			out = append(out, named{target, origin.HostProof{Host: host, Method: "dns_txt", Address: TXTName(host), Digest: wire.SHA256Hex([]byte(r))}})
		}
	}
	return out
}

// maxHome is how much is read of a home page to find a link in its head.
const maxHome = 1 << 20

// listHomePage lists what the home page of a host names: Link fields, link elements
// and meta elements.
func (p *Prover) listHomePage(ctx context.Context, host string) []named {
	page, targets, _ := p.readHomePage(ctx, host, publisherfile.Rel)
	out := make([]named, 0, len(targets))
	for _, t := range targets {
		if u, err := page.Parse(t); err == nil && !strings.HasPrefix(t, "colophon-control=") {
			t = u.String()
		}
		out = append(out, named{t, origin.HostProof{Host: host, Method: "meta", Address: homeOf(host), Digest: wire.SHA256Hex([]byte(t))}})
	}
	return out
}

func homeOf(host string) string { return "https://" + host + "/" }

// readHomePage returns the address of the home page of a host and what it names
// by a relation, as it is written there. reached is false if the page cannot be
// fetched.
func (p *Prover) readHomePage(ctx context.Context, host, relation string) (page *url.URL, targets []string, reached bool) {
	a, problem := p.fetchOverHTTPS(ctx, homeOf(host), "text/html", maxHome)
	if problem != nil || a.status != http.StatusOK {
		return nil, nil, problem == nil && a.status < http.StatusInternalServerError
	}
	for _, value := range a.header.Values("Link") {
		targets = append(targets, channel.LinkTargets(value, relation)...)
	}
	return a.url, append(targets, elementTargets(a.body, relation)...), true
}

// Linked lists the addresses that the home page of a host names by a relation,
// in Link fields and in link elements of its head. reached is false when the
// page cannot be fetched.
func (p *Prover) Linked(ctx context.Context, host, relation string) (targets []string, reached bool) {
	page, written, reached := p.readHomePage(ctx, host, relation)
	for _, t := range written {
		if u, err := page.Parse(t); err == nil && u.Scheme == "https" {
			targets = append(targets, u.String())
		}
	}
	return targets[:min(len(targets), maxLinked)], reached
}

// maxLinked bounds the documents of one relation that are looked at.
const maxLinked = 4

// Document gets a document of at most 1 MiB over HTTPS, without leaving its
// host. The status is 0 when nothing answers, or the host fails.
func (p *Prover) Document(ctx context.Context, address string) (status int, body []byte) {
	a, problem := p.fetchOverHTTPS(ctx, address, "application/json", maxHome)
	if problem != nil || a.status >= http.StatusInternalServerError {
		return 0, nil
	}
	return a.status, a.body
}

// Sitemaps lists the sitemaps that the robots.txt of a home address names.
func (p *Prover) Sitemaps(ctx context.Context, home string) []string {
	at, err := url.Parse(home)
	if err != nil {
		return nil
	}
	address := at.ResolveReference(&url.URL{Path: "/robots.txt"}).String()
	status, body := p.Document(ctx, address)
	if status != http.StatusOK {
		return nil
	}
	var out []string
	read := channel.ParseRobots(channel.Input{URL: address, Body: body})
	for _, link := range read.Links {
		if link.Rel == "sitemap" && !slices.Contains(out, link.URL) {
			out = append(out, link.URL)
		}
	}
	return out
}

// elementTargets returns the targets of <link rel="…" href="…"> and <meta
// name="…" content="…"> with a relation, in the head of a page only, because
// its body may contain what visitors wrote.
func elementTargets(page []byte, relation string) []string {
	var out []string
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return out
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "head" {
				return out
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "html", "head", "title", "script", "style", "base", "noscript":
			case "link":
				if slices.Contains(strings.Fields(strings.ToLower(tokenAttribute(t, "rel"))), relation) {
					out = append(out, tokenAttribute(t, "href"))
				}
			case "meta":
				if strings.EqualFold(tokenAttribute(t, "name"), relation) {
					out = append(out, tokenAttribute(t, "content"))
				}
			default: // the body begins, with or without its tag
				return out
			}
		}
	}
}

func tokenAttribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}
