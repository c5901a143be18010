package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// webWorld is a few hosts on a real HTTPS server beside a real DNS server, and a
// registry that reads them.
type webWorld struct {
	t       *testing.T
	dir     string
	address string // of the HTTPS server
	dns     string

	mu    sync.Mutex
	pages map[string]string // "host/path" or "host/*" to a body; "> address" is a redirect, "^ host:port" a guard in front
	links map[string]string // "host/path" to a Link field
	txt   map[string][]string
}

// newWebWorld returns hosts and an empty registry.
func newWebWorld(t *testing.T) *webWorld {
	t.Helper()
	w := newHosts(t)
	fixtures.empty.copyTo(t, w.dir)
	return w
}

// newHosts returns hosts, and no registry yet.
func newHosts(t *testing.T) *webWorld {
	t.Helper()
	w := &webWorld{t: t, dir: t.TempDir(), pages: map[string]string{}, links: map[string]string{}, txt: map[string][]string{}}
	w.serveHTTPS("site.example", "blog.site.example", "mirror.site.example", "victim.example", "house.example", "other.example")
	w.serveDNS()
	return w
}

func (w *webWorld) put(address, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages[address] = body
}

// link sets the Link field of a page.
func (w *webWorld) link(address, field string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.links[address] = field
}

func (w *webWorld) remove(address string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.pages, address)
}

func (w *webWorld) setTXT(host string, records ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.txt["_colophon."+host+"."] = records
}

func (w *webWorld) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	body, ok := w.pages[r.Host+r.URL.Path]
	if !ok {
		body, ok = w.pages[r.Host+"/*"]
	}
	if field := w.links[r.Host+r.URL.Path]; field != "" {
		rw.Header().Set("Link", field)
	}
	w.mu.Unlock()
	if guard, guarded := strings.CutPrefix(body, "^ "); guarded {
		httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: guard}).ServeHTTP(rw, r)
		return
	}
	switch to, redirects := strings.CutPrefix(body, "> "); {
	case !ok:
		http.NotFound(rw, r)
	case body == "! denied": // as a publisher's edge answers
		rw.Header().Set("Content-Type", "application/problem+json")
		rw.Header().Set("Cache-Control", "no-store")
		rw.Header().Add("Link", `<https://site.example/license.xml>; rel="license"`)
		rw.WriteHeader(http.StatusForbidden)
		fmt.Fprint(rw, `{"access_response": {"routes": []}}`)
	case strings.HasPrefix(body, "! "):
		http.Error(rw, body, http.StatusServiceUnavailable)
	case redirects:
		http.Redirect(rw, r, to, http.StatusFound)
	default:
		switch filepath.Ext(r.URL.Path) {
		case ".json":
			rw.Header().Set("Content-Type", "application/json")
		case ".xml":
			rw.Header().Set("Content-Type", "application/xml")
		case ".txt":
			rw.Header().Set("Content-Type", "text/plain")
		default:
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		fmt.Fprint(rw, body)
	}
}

func (w *webWorld) serveHTTPS(hosts ...string) {
	w.t.Helper()
	server := httptest.NewUnstartedServer(w)
	certificate, err := signCertificate(hosts...)
	must(w.t, err)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	w.t.Cleanup(server.Close)
	w.address = server.Listener.Addr().String()
}

func (w *webWorld) serveDNS() {
	w.t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(w.t, err)
	ready := make(chan struct{})
	server := &dns.Server{PacketConn: conn, Handler: dns.HandlerFunc(w.answerDNS), NotifyStartedFunc: func() { close(ready) }}
	go server.ActivateAndServe() //nolint:errcheck // it ends with Shutdown
	<-ready
	w.t.Cleanup(func() { server.Shutdown() }) //nolint:errcheck // nothing follows
	w.dns = conn.LocalAddr().String()
}

func (w *webWorld) answerDNS(rw dns.ResponseWriter, q *dns.Msg) {
	m := new(dns.Msg)
	m.SetReply(q)
	name := strings.ToLower(q.Question[0].Name)
	w.mu.Lock()
	records := w.txt[name]
	w.mu.Unlock()
	if len(records) == 0 {
		m.SetRcode(q, dns.RcodeNameError)
	}
	for _, r := range records {
		m.Answer = append(m.Answer, &dns.TXT{Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeTXT, Class: dns.ClassINET, Ttl: 1}, Txt: []string{r}})
	}
	rw.WriteMsg(m) //nolint:errcheck // the client asks again
}

// run runs the program and returns its output.
func (w *webWorld) run(args ...string) (out string, ok bool) {
	w.t.Helper()
	var both bytes.Buffer
	code := runProgram(w.t.Context(), w.arguments(args), strings.NewReader(""), &both, &both, emptyEnvironment)
	return both.String(), code == exitOK
}

// killed runs the program and kills it after a while, unless it has ended.
func (w *webWorld) killed(after time.Duration, args ...string) {
	w.t.Helper()
	cmd := w.command(args...)
	must(w.t, cmd.Start())
	time.Sleep(after)
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
}

// arguments adds to a command where the registry and the hosts are.
func (w *webWorld) arguments(args []string) []string {
	args = slices.Clone(args)
	if args[0] == "publisher" && (args[1] == "add" || args[1] == "move") || args[0] == "refresh" || args[0] == "import" || args[0] == "lint" || args[0] == "readiness" || args[0] == "join" && (args[1] == "check" || args[1] == "approve") || slices.Contains(args, "--from") {
		args = append(args, "--allow-private")
		for _, host := range []string{"site", "blog.site", "mirror.site", "victim", "house", "other"} {
			args = append(args, "--connect-to", host+".example:443="+w.address)
		}
		if args[0] != "lint" {
			args = append(args, "--dns", w.dns)
		}
	}
	if args[0] != "lint" {
		args = append(args, "--dir", w.dir)
	}
	return args
}

// command returns a call of the program in a separate process.
func (w *webWorld) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), "COLOPHON_TEST_ARGS="+strings.Join(w.arguments(args), " "))
	return cmd
}

func (w *webWorld) must(args ...string) string {
	w.t.Helper()
	out, ok := w.run(args...)
	if !ok {
		w.t.Fatalf("colophon %s:\n%s", strings.Join(args, " "), out)
	}
	return out
}

// published reads a published file.
func (w *webWorld) published(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, "dist", filepath.FromSlash(name)))
	must(w.t, err)
	return string(data)
}

// store opens the origin of the world.
func (w *webWorld) store() (*originsql.Store, func()) {
	w.t.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: w.dir}}
	s, done, err := e.OpenStore(context.Background())
	must(w.t, err)
	return s, done
}

// docBlocks returns the code blocks of a documentation page with this info
// string.
func docBlocks(t *testing.T, page, info string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "site", "docs", page))
	must(t, err)
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+info+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("%s has no block %q", page, info)
	}
	return out
}

// runBlock runs the commands of a block of a page.
func (w *webWorld) runBlock(block string) string {
	w.t.Helper()
	var out strings.Builder
	for line := range strings.Lines(block) {
		args := strings.Fields(line)
		if len(args) < 2 || args[0] != "colophon" {
			w.t.Fatalf("not a command of the program: %q", line)
		}
		out.WriteString(w.must(args[1:]...))
	}
	return out.String()
}

const (
	ownFile = "site.example/.well-known/colophon-publisher.json"
	rslFile = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">ai-train</permits>` +
		`<payment type="training"><amount currency="EUR">900</amount></payment></license></content></rsl>`
)

// site serves the site of the documentation: its file, an RSL file with a
// price, and two pages.
func (w *webWorld) site() string {
	file := docBlocks(w.t, "list-your-site.md", "json")[0]
	w.put(ownFile, file)
	w.put("site.example/license.xml", rslFile)
	w.put("site.example/robots.txt", "User-agent: *\nAllow: /\nLicense: https://site.example/license.xml\n")
	w.put("site.example/sitemap.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://site.example/a</loc></url><url><loc>https://site.example/b</loc></url></urlset>`)
	for _, p := range []string{"a", "b"} {
		w.put("site.example/"+p, "<html lang=en><title>Report "+p+"</title><body><h1>Report "+p+"</h1><p>Report "+p+" tells of the ships that came in on that day, of what they carried, and of who was on watch at the quay.</p></body></html>")
	}
	return file
}

// enrolSite adds the site of the documentation to the registry.
func (w *webWorld) enrolSite() {
	w.t.Helper()
	w.must("publisher", "add", "https://site.example/")
	w.must("publisher", "approve", "site-example")
}

type catalogOffer struct {
	SiteID   string `json:"site_id"`
	Source   string `json:"source"`
	Status   string `json:"status"`
	Evidence struct {
		URL    string `json:"url"`
		SHA256 string `json:"sha256"`
	} `json:"evidence"`
	Payment struct {
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	} `json:"payment"`
	Uses struct {
		Permits []string `json:"permits"`
	} `json:"uses"`
}

func (w *webWorld) catalog() map[string]catalogOffer {
	w.t.Helper()
	var list struct {
		Data []catalogOffer `json:"data"`
	}
	must(w.t, json.Unmarshal([]byte(w.published("v1/public/license-catalog.json")), &list))
	out := map[string]catalogOffer{}
	for _, o := range list.Data {
		out[o.Source] = o
	}
	return out
}

type mapRecord struct {
	Vector       string `json:"rights_vector"`
	Verification struct {
		Control string `json:"domain_control"`
	} `json:"verification"`
}

func (w *webWorld) mapOf(siteID string) (r mapRecord) {
	w.t.Helper()
	must(w.t, json.Unmarshal([]byte(w.published("v1/public/ai-rights-map/publishers/"+siteID+".json")), &r))
	return r
}

// TestListYourSite follows the page "List your site in ten minutes": from an
// empty folder to both offers in the catalog, a change, and the end.
func TestListYourSite(t *testing.T) {
	t.Parallel()
	const page = "list-your-site.md"
	w := newWebWorld(t)
	file := w.site()
	w.must("lint", "https://site.example/")
	added := w.runBlock(docBlocks(t, page, "sh operator")[0])
	assert.Contains(t, "publisher add shows", added, "site-example: Site of Example (https://site.example/, pending, public)", "host         site.example: control well_known, seen in https://"+ownFile)
	w.must("verify", filepath.Join(w.dir, "dist"))
	offers := w.catalog()
	own, observed := offers["file"], offers["observed"]
	if len(offers) != 2 || own.Payment.Amount != "1200" || own.Payment.Currency != "EUR" || own.Evidence.URL != "https://"+ownFile || len(own.Evidence.SHA256) != 64 {
		t.Errorf("the catalog lists %+v", offers)
	}
	if observed.Payment.Amount != "900" || observed.Evidence.URL != "https://site.example/license.xml" || strings.Join(observed.Uses.Permits, " ") != "training" {
		t.Errorf("the observed offer is %+v", observed)
	}
	before := w.mapOf("site-example")
	assert.Equal(t, before.Verification.Control, "well_known", "the map says control")
	html := w.published("publishers/site-example/index.html")
	for _, words := range []string{"1200 EUR per year", "https://site.example/terms", "shown by a well-known file", "900 EUR"} {
		assert.Contains(t, "the publisher's page does not say", html, words)
	}
	assert.Contains(t, "the page of the map does not tell how control was shown", w.published("publishers/site-example/index.html"), "shown by a well-known file")

	w.put(ownFile, strings.Replace(file, `"1200"`, `"1500"`, 1))
	w.runBlock(docBlocks(t, page, "sh again")[0])
	if o := w.catalog()["file"]; o.Payment.Amount != "1500" {
		t.Errorf("after the change the catalog says %+v", o)
	}
	if html := w.published("publishers/site-example/index.html"); !strings.Contains(html, "1500 EUR per year") || strings.Contains(html, "1200 EUR") {
		t.Error("the page did not follow the change")
	}

	w.remove(ownFile)
	gone := w.runBlock(docBlocks(t, page, "sh again")[0])
	assert.Contains(t, "refresh does not tell what ended", gone, "withdrawn")
	if offers := w.catalog(); len(offers) != 1 || offers["observed"].Status != "offered" {
		t.Errorf("after the removal the catalog lists %+v", offers)
	}
	w.closedStaysClosed(before.Vector, w.mapOf("site-example").Vector)
	assert.Equal(t, w.mapOf("site-example").Verification.Control, "well_known", "after one missed look control")
	w.ageMisses(15 * 24 * time.Hour)
	w.runBlock(docBlocks(t, page, "sh again")[0])
	assert.Equal(t, w.mapOf("site-example").Verification.Control, "lapsed", "after the second missed look control")
	w.closedStaysClosed(before.Vector, w.mapOf("site-example").Vector)
	assert.Contains(t, "the page of the map does not tell that the proof lapsed", w.published("publishers/site-example/index.html"), "lapsed")

	w.put(ownFile, file)
	w.runBlock(docBlocks(t, page, "sh again")[0])
	if o := w.catalog()["file"]; o.Payment.Amount != "1200" || w.mapOf("site-example").Verification.Control != "well_known" {
		t.Errorf("after the return the catalog says %+v", o)
	}
	w.must("verify", filepath.Join(w.dir, "dist"))
}

// closedStaysClosed compares two rights vectors: what was not allowed before
// must not be allowed after.
func (w *webWorld) closedStaysClosed(before, after string) {
	w.t.Helper()
	for i := range before {
		if after[i] == 'S' && before[i] != 'S' || strings.ContainsRune("Dd", rune(before[i])) && strings.ContainsRune("SsUu", rune(after[i])) {
			w.t.Errorf("use %d was %c and is %c", i, before[i], after[i])
		}
	}
}

// ageMisses moves the first failed look for every proof into the past.
func (w *webWorld) ageMisses(by time.Duration) {
	w.t.Helper()
	store, done := w.store()
	defer done()
	ctx := context.Background()
	proofs, err := store.ProofsOfSite(ctx, "site-example")
	if err != nil || !slices.ContainsFunc(proofs, func(p origin.HostProof) bool { return p.MissedAt != "" }) {
		w.t.Fatalf("%v, proofs %+v", err, proofs)
	}
	for _, p := range proofs {
		if p.MissedAt == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, p.MissedAt)
		must(w.t, err)
		p.MissedAt = at.Add(-by).Format(time.RFC3339)
		must(w.t, store.PutHostProof(ctx, p))
	}
}

// TestHostsMustShowThemselves checks that a file's claims about hosts that do
// not confirm it change nothing there and are reported, and that each way of
// confirming it counts.
func TestHostsMustShowThemselves(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	const address = "https://site.example/.well-known/colophon-publisher.json"
	file := `{"colophon_publisher":"1","name":"Claims","hosts":["blog.site.example","mirror.site.example","house.example","victim.example"]}`
	w.put(ownFile, file)
	w.setTXT("blog.site.example", "v=spf1 -all", "colophon-publisher="+address)
	w.put("mirror.site.example/.well-known/colophon-publisher.json", file)
	w.put("house.example/", `<html><head><link rel="colophon-publisher" href="`+address+`"></head><body>House</body></html>`)
	w.put("victim.example/", `<html><head><title>Victim</title></head><body>A guest wrote: <link rel="colophon-publisher" href="`+address+`"></body></html>`)
	w.put("victim.example/.well-known/colophon-publisher.json", "> "+address)
	out := w.must("publisher", "add", "https://site.example/")
	for host, method := range map[string]string{"site.example": "well_known", "blog.site.example": "dns_txt", "mirror.site.example": "well_known", "house.example": "meta", "victim.example": "none"} {
		if !strings.Contains(out, "host         "+host+": control "+method) {
			t.Errorf("%s is not reported as %s", host, method)
		}
	}
	assert.Contains(t, "it does not say that nothing changes", out, "so nothing changes there")
	store, done := w.store()
	defer done()
	sites, err := store.Websites(context.Background(), "site-example")
	if err != nil || len(sites) != 4 {
		t.Errorf("%v, hosts %+v", err, sites)
	}
	for _, s := range sites {
		if s.Host == "victim.example" || !s.Associated {
			t.Errorf("host %+v", s)
		}
	}
	w.put("victim.example/.well-known/colophon-publisher.json", `{"colophon_publisher":"1","name":"Victim","hosts":["site.example"]}`)
	w.put("victim.example/", "Victim")
	assert.Contains(t, "a file takes a host that another publisher has shown", w.must("publisher", "add", "https://victim.example/"), "site.example: control none")
}

// TestFileIsNamed checks that a file outside the well-known place is found by
// each way in which a host can name it, and by no way that others control.
func TestFileIsNamed(t *testing.T) {
	t.Parallel()
	const mine, theirs = "https://site.example/about/us.json", "https://house.example/files/site.json"
	const link, meta = `<link rel="colophon-publisher" href="%s">`, `<meta name="colophon-publisher" content="%s">`
	page := func(head string) string {
		return "<html><head><title>x</title>" + head + "</head><body>Home</body></html>"
	}
	for _, c := range []struct {
		name, home, field, txt, wanted, method string
	}{
		{"link field", page(""), `<` + mine + `>; rel="colophon-publisher"`, "", mine, "well_known"},
		{"link field, relative", page(""), `</style.css>; rel=stylesheet, </about/us.json>; rel="me colophon-publisher"`, "", mine, "well_known"},
		{"link element", page(fmt.Sprintf(link, "/about/us.json")), "", "", mine, "well_known"},
		{"meta element", page(fmt.Sprintf(meta, mine)), "", "", mine, "well_known"},
		{"record", page(""), "", "colophon-publisher=" + mine, mine, "well_known"},
		{"link field to another host", page(""), `<` + theirs + `>; rel="colophon-publisher"`, "", theirs, "meta"},
		{"link element to another host", page(fmt.Sprintf(link, theirs)), "", "", theirs, "meta"},
		{"record with another host", page(""), "", "colophon-publisher=" + theirs, theirs, "dns_txt"},
		{"link of another relation", page(`<link rel="alternate" href="` + mine + `">`), `<` + mine + `>; rel="alternate"`, "", "", ""},
		{"in the body", "<html><head></head><body>" + fmt.Sprintf(link, mine) + fmt.Sprintf(meta, mine), "", "", "", ""},
		{"a host that the file does not list", page(fmt.Sprintf(link, "https://house.example/files/other.json")), "", "", "", ""},
		{"without TLS", page(fmt.Sprintf(link, "http://site.example/about/us.json")), "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWebWorld(t)
			w.put("site.example/about/us.json", `{"colophon_publisher":"1","name":"Mine"}`)
			w.put("house.example/files/site.json", `{"colophon_publisher":"1","name":"Theirs","hosts":["site.example"]}`)
			w.put("house.example/files/other.json", `{"colophon_publisher":"1","name":"Other","hosts":["other.example"]}`)
			w.put("site.example/", c.home)
			w.link("site.example/", c.field)
			if c.txt != "" {
				w.setTXT("site.example", c.txt)
			}
			out, ok := w.run("publisher", "add", "https://site.example/")
			if c.wanted == "" {
				if ok || !strings.Contains(out, "site.example has no file") {
					t.Errorf("it is taken:\n%s", out)
				}
				return
			}
			if !ok || !strings.Contains(out, "file         "+c.wanted+": read") || !strings.Contains(out, "host         site.example: control "+c.method+",") {
				t.Errorf("it says\n%s", out)
			}
		})
	}
}

// TestProvenHostIsNotTaken checks that a host that one publisher proved control
// of is not given to another, whatever the other can place there, until the
// proof lapses.
func TestProvenHostIsNotTaken(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.put(ownFile, `{"colophon_publisher":"1","name":"First","hosts":["blog.site.example"]}`)
	w.setTXT("blog.site.example", "colophon-publisher=https://"+ownFile, "colophon-publisher=https://other.example/.well-known/colophon-publisher.json")
	w.put("other.example/.well-known/colophon-publisher.json", `{"colophon_publisher":"1","name":"Second","hosts":["blog.site.example"]}`)
	w.must("publisher", "add", "https://site.example/")
	assert.Contains(t, "it is taken", w.must("publisher", "add", "https://other.example/"), "blog.site.example: control none", `publisher "site-example" has shown control of blog.site.example`)
	w.put(ownFile, `{"colophon_publisher":"1","name":"First"}`)
	assert.Contains(t, "a host that the file lists no more is still proven by it", w.must("refresh", "site-example"), "no longer lists blog.site.example", "missing since")
	w.ageMisses(15 * 24 * time.Hour)
	w.must("refresh", "site-example")
	assert.Contains(t, "a proof that lapsed keeps the host from others", w.must("refresh", "other-example"), "blog.site.example: control dns_txt")
}

// TestContestedHome checks that the file of a home is not taken over if another
// publisher has proved control of the home.
func TestContestedHome(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := `{"colophon_publisher":"1","name":"House","hosts":["mirror.site.example"],"offers":[{"slug":"a","title":"A","uses":["rag"],"payment":{"model":"use","on_request":true}}]}`
	w.put(ownFile, file)
	w.put("mirror.site.example/.well-known/colophon-publisher.json", file)
	w.must("publisher", "add", "https://site.example/")
	w.must("publisher", "add", "mirror", "--name", "Mirror", "--site-url", "https://mirror.site.example/")
	if out := w.must("refresh", "mirror"); !strings.Contains(out, "mirror.site.example: control none") || strings.Contains(out, ": read") {
		t.Errorf("refresh says\n%s", out)
	}
	store, done := w.store()
	defer done()
	if offers, err := store.OffersOf(context.Background(), "mirror"); err != nil || len(offers) != 0 {
		t.Errorf("%v, it offers %+v", err, offers)
	}
}

// TestFileThatIsGone checks that a missing file's permissions end, that its
// reservations and other sources' statements stay, and that a file which its
// host no longer shows is not taken over.
func TestFileThatIsGone(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	const elsewhere = "house.example/files/site.json"
	w.put(elsewhere, `{"colophon_publisher":"1","name":"A","hosts":["site.example"],"preferences":[{"use":"rag","declared":"allow"},{"use":"training","declared":"disallow"}]}`)
	w.put("site.example/", `<html><head><link rel="colophon-publisher" href="https://`+elsewhere+`"></head><body>A</body></html>`)
	w.must("publisher", "add", "https://site.example/")
	w.must("publisher", "set", "site-example", "--use", "datasets=welcome:allow")
	stated := func() string {
		store, done := w.store()
		defer done()
		list, err := store.Preferences(context.Background(), "site-example")
		must(t, err)
		var out []string
		for _, p := range list {
			out = append(out, p.Use+":"+p.Declared+":"+p.Source)
		}
		return strings.Join(out, " ")
	}
	if got := stated(); !strings.Contains(got, "rag:allow:file") || !strings.Contains(got, "training:disallow:file") {
		t.Fatalf("stated: %s", got)
	}
	w.put("site.example/", "<html><head></head><body>A</body></html>")
	w.must("refresh", "site-example")
	assert.Contains(t, "after the file is gone", stated(), "rag:unknown:file", "training:disallow:file", "datasets:allow:publisher")
}

// TestMisspeltFile checks that a file with an error fails the command, which
// names the line and suggests the intended word. None of its statements count,
// but its place still proves the hosts.
func TestMisspeltFile(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := func(use string) string {
		return "{\"colophon_publisher\": \"1\", \"name\": \"A\", \"hosts\": [\"mirror.site.example\"],\n" +
			" \"preferences\": [{\"use\": \"rag\", \"declared\": \"allow\"},\n  {\"use\": \"" + use + "\", \"declared\": \"disallow\"}]}"
	}
	put := func(body string) {
		w.put(ownFile, body)
		w.put("mirror.site.example/.well-known/colophon-publisher.json", body)
	}
	put(file("summarization"))
	w.must("publisher", "add", "https://site.example/")
	put(file("sumarization"))
	for range 2 {
		out, ok := w.run("refresh", "site-example")
		if ok || !strings.Contains(out, "error: ") || !strings.Contains(out, "3:11 /preferences/1/use not_in_list") || !strings.Contains(out, `Did you mean "summarization"`) {
			t.Errorf("refresh says\n%s", out)
		}
		if strings.Contains(out, "missing since") || strings.Contains(out, "colophon build") || strings.Count(out, "control well_known") != 2 {
			t.Errorf("refresh says of the hosts\n%s", out)
		}
	}
	if out := w.must("publisher", "show", "site-example"); !strings.Contains(out, "summarization") || strings.Contains(out, "sumarization") {
		t.Errorf("what the mistaken file says counts:\n%s", out)
	}

	// A page that a server sends for any address is not a file.
	put("<!doctype html><title>A</title>")
	if out := w.must("refresh", "site-example"); strings.Count(out, "missing since") != 2 {
		t.Errorf("a page in place of the file:\n%s", out)
	}

	// A file with an error proves no new host.
	w.must("publisher", "add", "mirror", "--name", "Mirror", "--site-url", "https://other.example/")
	w.put("other.example/.well-known/colophon-publisher.json", file("sumarization"))
	if out, ok := w.run("refresh", "mirror"); ok || !strings.Contains(out, "other.example: control none") {
		t.Errorf("a mistaken file proves a host: %s", out)
	}
}

// TestUnreachableFileLapses checks that an unreachable file changes nothing
// until its proof lapses; then its offers end.
func TestUnreachableFileLapses(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := w.site()
	w.must("publisher", "add", "https://site.example/")
	offerState := func() string {
		store, done := w.store()
		defer done()
		offers, err := store.OffersOf(context.Background(), "site-example")
		stated := slices.IndexFunc(offers, func(o origin.Offer) bool { return !strings.HasPrefix(o.Slug, "rsl-") }) // from the file
		if err != nil || stated < 0 {
			t.Fatal(err, offers)
		}
		return offers[stated].Status
	}
	w.put(ownFile, file[:50])
	if out, ok := w.run("refresh", "site-example"); ok || !strings.Contains(out, "json_syntax") {
		t.Errorf("a broken file is taken: %s", out)
	}
	assert.Equal(t, offerState(), "offered", "a broken file makes the offer")
	w.put(ownFile, "! 503")
	w.must("refresh", "site-example")
	w.ageMisses(15 * 24 * time.Hour)
	assert.Equal(t, offerState(), "offered", "a file that cannot be reached makes the offer")
	if out := w.must("refresh", "site-example"); !strings.Contains(out, "control lapsed") || offerState() != "retired" {
		t.Errorf("after it lapsed the offer is %s:\n%s", offerState(), out)
	}
}

// TestSourcesOfFile checks that an import without a source reads the sitemaps
// and feeds that the file names, on proven hosts only. Notifications go to the
// address in the file, unless the operator was given another.
func TestSourcesOfFile(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := w.site()
	w.must("publisher", "add", "https://site.example/")
	if out, ok := w.run("import", "--site", "site-example"); ok || !strings.Contains(out, "names no sitemap or feed") {
		t.Errorf("without sources: %s", out)
	}
	if out, ok := w.run("import", "--site", "nobody"); ok || !strings.Contains(out, "there is no publisher") {
		t.Errorf("of nobody: %s", out)
	}
	file = strings.Replace(file, `"languages"`, `"sitemaps": ["https://site.example/sitemap.xml", "https://victim.example/sitemap.xml"], "feeds": ["https://site.example/feed.xml"], "languages"`, 1)
	file = strings.Replace(file, `"inquiries": {`, `"inquiries": {"email": "rights@site.example", `, 1)
	w.put(ownFile, file)
	w.put("victim.example/sitemap.xml", `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://victim.example/a</loc></url></urlset>`)
	w.put("site.example/feed.xml", `<rss version="2.0"><channel><title>F</title><item><title>C</title><link>https://site.example/c</link></item></channel></rss>`)
	w.put("site.example/c", "<html lang=en><title>Report c</title><body><h1>Report c</h1><p>Report c tells of the ships that came in on that day, of what they carried, and of who was on watch at the quay.</p></body></html>")
	w.put("site.example/robots.txt", "# BEGIN Cloudflare Managed content\nUser-agent: GPTBot\nDisallow: /\n# END Cloudflare Managed Content\nUser-agent: *\nAllow: /\n")
	w.must("refresh", "site-example")
	out := w.must("import", "--site", "site-example")
	contradicted := `https://site.example/robots.txt, line 3, was added by the CDN and contradicts the publisher: gptbot: "Disallow: /"`
	if again := w.must("refresh", "site-example"); !strings.Contains(out, contradicted) || !strings.Contains(again, contradicted) {
		t.Errorf("what the CDN added is told neither here\n%s\nor here\n%s", out, again)
	}
	if !strings.Contains(out, "from https://site.example/sitemap.xml\n") || !strings.Contains(out, "from https://site.example/feed.xml\n") || strings.Contains(out, "victim") || strings.Index(out, "sitemap.xml") > strings.Index(out, "feed.xml") {
		t.Errorf("it reads\n%s", out)
	}
	assert.Contains(t, "the entries", w.must("entry", "list", "--site", "site-example"), "https://site.example/a", "https://site.example/c")
	var told struct {
		Data []struct{ Source string }
	}
	if out := w.must("import", "--site", "site-example", "--json"); json.Unmarshal([]byte(out), &told) != nil || len(told.Data) != 2 || told.Data[1].Source != "https://site.example/feed.xml" {
		t.Errorf("for machines it tells\n%s", out)
	}
	contact := func() string {
		store, done := w.store()
		defer done()
		account, err := store.Publisher(context.Background(), "pub_site-example")
		must(t, err)
		return account.ContactEmail
	}
	assert.Equal(t, contact(), "rights@site.example", "notifications go to")
	w.must("publisher", "set", "site-example", "--contact-email", "ada@site.example")
	w.must("refresh", "site-example")
	assert.Equal(t, contact(), "ada@site.example", "the operator's address became")

	w.put(ownFile, strings.Replace(file, `"colophon_publisher": "1"`, `"colophon_publisher": "1", "name": "twice"`, 1))
	w.run("refresh", "site-example")
	if out, ok := w.run("import", "--site", "site-example"); ok || !strings.Contains(out, "could not be read when it was last seen") || !strings.Contains(out, "colophon refresh site-example") {
		t.Errorf("with a file that cannot be read: %s", out)
	}
}

// TestSourcesOfRobots checks that, if a publisher's file names no source, an
// import reads the sitemaps of its robots.txt that are on its own hosts.
func TestSourcesOfRobots(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.must("publisher", "add", "site", "--name", "Site", "--site-url", "https://site.example/")
	if out, ok := w.run("import", "--site", "site"); ok || !strings.Contains(out, "names no sitemap or feed") {
		t.Errorf("without robots.txt: %s", out)
	}
	w.put("site.example/robots.txt", "User-agent: *\nDisallow: /private\nSitemap: https://victim.example/sitemap.xml\n")
	if out, ok := w.run("import", "--site", "site"); ok || !strings.Contains(out, "names no sitemap or feed") {
		t.Errorf("with the sitemap of another host: %s", out)
	}
	w.put("site.example/robots.txt", "User-agent: *\nDisallow: /private\nSitemap: https://victim.example/sitemap.xml\nsitemap: /sitemap.xml # ours\nSitemap: https://site.example/sitemap.xml\n")
	if out := w.must("import", "--site", "site"); strings.Count(out, "from https://site.example/sitemap.xml\n") != 1 || strings.Contains(out, "victim") {
		t.Errorf("it reads\n%s", out)
	}
	assert.Contains(t, "the entries", w.must("entry", "list", "--site", "site"), "https://site.example/a")
}

// TestGraceOfPublisher checks that a missing page is withdrawn after the
// publisher's grace period, unless an import states another.
func TestGraceOfPublisher(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.must("publisher", "add", "https://site.example/")
	if out, ok := w.run("publisher", "set", "site-example", "--grace-days", "3651"); ok {
		t.Errorf("ten years and a day are taken: %s", out)
	}
	w.must("publisher", "set", "site-example", "--grace-days", "3")
	assert.Contains(t, "the export does not say it", w.must("export"), `"grace_days": 3`)
	const sitemap = "https://site.example/sitemap.xml"
	w.must("import", sitemap, "--site", "site-example")
	w.remove("site.example/b")
	for _, c := range []struct {
		days int
		args []string
		want string
	}{{0, nil, ""}, {2, nil, ""}, {4, []string{"--grace-days", "5"}, ""}, {4, nil, "withdrawn as gone 1"}} {
		w.ageGone(t, "https://site.example/b", c.days)
		out := w.must(append([]string{"import", sitemap, "--site", "site-example", "--fail-over", "100%"}, c.args...)...)
		if strings.Contains(out, "withdrawn as gone") != (c.want != "") || !strings.Contains(out, c.want) {
			t.Errorf("gone for %d days, %v:\n%s", c.days, c.args, out)
		}
	}
}

// TestWishesOfPublisher checks that an import follows the publisher's own file
// on partners and on pages that ask to be left out, unless the operator says
// otherwise.
func TestWishesOfPublisher(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := w.site()
	page := func(head string) string {
		return "<html lang=en><head><title>Report</title>" + head + "</head><body><h1>Report</h1><p>" + head[6:] + " The report tells of the ships that came in on that day, of what they carried, and of who was on watch.</p></body></html>"
	}
	w.put("site.example/a", page(`<meta name=robots content=noindex>`))
	w.put("site.example/b", page(`<link rel=canonical href="https://partner.example/b">`))
	w.must("publisher", "add", "https://site.example/")
	imported := func(args ...string) string {
		out, _ := w.run(append([]string{"import", "https://site.example/sitemap.xml", "--site", "site-example"}, args...)...)
		return out
	}
	assert.Contains(t, "without a wish", imported(), "skipped canonical_elsewhere: 1", "skipped noindex: 1", "1 of 2 pages failed or name an original elsewhere, as 1 do")
	assert.Contains(t, "a wish that is none", imported("--noindex", "perhaps"), "neither skip nor keep")
	w.put(ownFile, strings.Replace(file, `"name":`, `"noindex": "keep", "syndicated_to": ["partner.example"], "name":`, 1))
	w.must("refresh", "site-example")
	assert.Contains(t, "the operator's wish", imported("--noindex", "skip"), "skipped noindex: 1", "new 1")
	assert.Contains(t, "the publisher's wish", imported(), "new 1, changed 0, unchanged 1")
}

// ageGone makes a page appear to have been missing for some days.
func (w *webWorld) ageGone(t *testing.T, address string, days int) {
	t.Helper()
	store, done := w.store()
	defer done()
	ctx := context.Background()
	f, err := store.Fetch(ctx, address)
	must(t, err)
	if days == 0 {
		return
	}
	f.Reason = "gone since " + time.Now().UTC().AddDate(0, 0, -days).Format(time.RFC3339) + ": http_404"
	must(t, store.PutFetch(ctx, f))
}

// TestFilesThatCannotBeTaken checks that each such file is refused with its
// reason and leaves the origin unchanged.
func TestFilesThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	const good = `{"colophon_publisher":"1","name":"A"}`
	w.put("other.example/file.json", good)
	for _, c := range []struct{ body, want string }{
		{"> https://other.example/file.json", "a redirect to another host proves nothing"},
		{"> http://site.example/file.json", "a redirect to another host proves nothing"},
		{good[:20], "1:21 json_syntax"},
		{strings.Repeat(" ", 1<<20) + good, "1:1 too_large"},
		{strings.Repeat("[", 100_000), "1:9 json_too_deep"},
		{`{"colophon_publisher":"1","name":"A","registries":["https://elsewhere.example"]}`, "the file speaks to other registries"},
		{`{"colophon_publisher":"1","name":"` + "a\u202eb" + `"}`, "1:34 /name text_unsafe"},
	} {
		w.put(ownFile, c.body)
		out, ok := w.run("publisher", "add", "https://site.example/")
		if ok || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%.80q: %t %s", c.body, ok, out)
		}
	}
	w.put(ownFile, good)
	assert.Contains(t, "a dry run shows", w.must("publisher", "add", "https://site.example/", "--dry-run"), "control well_known")
	w.remove(ownFile)
	if out, ok := w.run("publisher", "add", "https://site.example/"); ok || !strings.Contains(out, "site.example has no file /.well-known/colophon-publisher.json") {
		t.Errorf("without a file: %s", out)
	}
	store, done := w.store()
	defer done()
	if sites, err := store.Sites(context.Background()); err != nil || len(sites) != 0 {
		t.Errorf("%v, %d sites were written", err, len(sites))
	}
}

// TestHouse checks that a house's policy counts for a site that it lists, and
// not for one that it does not.
func TestHouse(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	house := `{"colophon_publisher":"1","name":"House","hosts":["site.example"],"preferences":[{"use":"training","declared":"disallow"}],` +
		`"offers":[{"slug":"all","title":"All","uses":["rag"],"payment":{"model":"subscription","on_request":true}}]}`
	w.put("house.example/.well-known/colophon-publisher.json", house)
	const member = `{"colophon_publisher":"1","name":"Member","policy_of":"https://house.example/.well-known/colophon-publisher.json"}`
	w.put(ownFile, member)
	w.put("other.example/.well-known/colophon-publisher.json", member)
	w.must("publisher", "add", "https://site.example/")
	assert.Contains(t, "it is not told", w.must("publisher", "add", "https://other.example/"), "does not list other.example among its hosts; it gives the site nothing")
	ctx := context.Background()
	store, done := w.store()
	for id, want := range map[string]int{"site-example": 1, "other-example": 0} {
		offers, err := store.OffersOf(ctx, id)
		stated, err2 := store.Preferences(ctx, id)
		if err != nil || err2 != nil || len(offers) != want || len(stated) != want {
			t.Errorf("%s: %v %v, %d offers, %d preferences", id, err, err2, len(offers), len(stated))
		}
	}
	done()
	w.put("house.example/.well-known/colophon-publisher.json", strings.Replace(house, "site.example", "away.example", 1))
	w.must("refresh", "site-example")
	store, done = w.store()
	defer done()
	if offers, err := store.OffersOf(ctx, "site-example"); err != nil || offers[0].Status != "retired" {
		t.Errorf("%v, after the house dropped the site: %+v", err, offers)
	}
	facts, err := store.FactsOfSites(ctx, []string{"site-example"})
	must(t, err)
	for _, e := range facts[0].Evidence {
		if strings.Contains(e.URL, "house.example") && e.ReplacedAt == "" && (e.State != "absent" || !strings.Contains(e.Document, "disallow")) {
			t.Errorf("what the house reserved is not kept: %+v", e)
		}
	}
}

// TestProofByToken checks that a publisher added by flags proves its host with
// the token that the operator is given. What an operator vouches for is a
// separate value, and proofs cannot be entered by hand.
func TestProofByToken(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	for _, typed := range []string{"dns_txt", "well_known", "meta", "lapsed"} {
		if out, ok := w.run("publisher", "add", "harbor", "--name", "Harbor", "--site-url", "https://site.example/", "--domain-control", typed); ok {
			t.Errorf("a proof was typed: %s", out)
		}
	}
	w.must("publisher", "add", "harbor", "--name", "Harbor", "--site-url", "https://site.example/", "--domain-control", "operator")
	w.must("publisher", "approve", "harbor")
	w.must("build")
	assert.Equal(t, w.mapOf("harbor").Verification.Control, "operator", "control")
	assert.Contains(t, "the map does not tell that the operator vouches", w.published("publishers/harbor/index.html"), "not shown: the operator vouches for it")
	shown := w.must("publisher", "show", "harbor")
	m := regexp.MustCompile(`TXT record (\S+) with (\S+)`).FindStringSubmatch(shown)
	if m == nil || m[1] != "_colophon.site.example" {
		t.Fatalf("publisher show:\n%s", shown)
	}
	w.setTXT("site.example", strings.ToUpper(m[2]), m[2][:len(m[2])-1])
	assert.Contains(t, "another text proves something", w.must("refresh", "harbor"), "site.example: control none")
	w.setTXT("site.example", "something else", m[2])
	assert.Contains(t, "the token proves nothing", w.must("refresh", "harbor"), "site.example: control dns_txt, seen in _colophon.site.example")
	w.must("build")
	assert.Equal(t, w.mapOf("harbor").Verification.Control, "dns_txt", "control")

	w.must("publisher", "set", "harbor", "--host", "blog.site.example")
	further := regexp.MustCompile(`TXT record _colophon.blog.site.example with (\S+)`).FindStringSubmatch(w.must("publisher", "show", "harbor"))
	if further == nil {
		t.Fatal("no token is told for a further host")
	}
	assert.Contains(t, "a further host that shows nothing", w.must("refresh", "harbor"), "blog.site.example: control none")
	w.setTXT("blog.site.example", further[1])
	assert.Contains(t, "the token of a further host proves nothing", w.must("refresh", "harbor"), "blog.site.example: control dns_txt")
}
