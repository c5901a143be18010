package generator

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/png"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jimsmart/grobotstxt"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/generator/brand"
	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/site"
)

// TestRobotsOfTheRegistry checks with an independent parser which paths robots.txt
// allows crawlers to read, and that it has a Content-Signal.
func TestRobotsOfTheRegistry(t *testing.T) {
	t.Parallel()
	const base = "https://registry.example"
	robots := string(site.Robots(base))
	for path, want := range map[string]bool{
		"/": true, "/publishers/harbor-ledger/": true, "/check/": true, "/check/?q=ent_1": false, "/check/?q=https%3A%2F%2Fa.example%2F": false, "/check/?agent=x&q=ent_1": false,
		"/mcp": false, "/mcp/gateway": false, "/mcp/publisher/harbor-ledger": true, exports.PathFeed: true, exports.PathPublishers: true,
		inquiries.ConversationPath("thr_1"): false, inquiries.ProcurementPath("thr_1"): false, "/v1/partner/status": false, "/v1/rag-delivery/items": false, "/.well-known/security.txt": true,
	} {
		assert.Equal(t, grobotstxt.AgentAllowed(robots, "ExampleBot", base+path), want, "%s may be read", path)
	}
	assert.Contains(t, "no Content-Signal of its own in", robots, "User-agent: *\nContent-Signal: search=yes, ai-train=no\n")
}

// TestAgentCatalog checks that the AI Catalog and the server card in it have the
// members that their drafts require, and no others.
func TestAgentCatalog(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 2)
	opt := testOptions(t, 2)
	opt.BaseURL = "https://rights.registry.example"
	must(t, assert.Err(Build(t.Context(), store, dir, opt)))
	var catalog struct {
		SpecVersion string `json:"specVersion"`
		Host        struct{ DisplayName, Identifier, DocumentationURL string }
		Entries     []struct {
			Identifier, DisplayName, Type string
			Data                          struct {
				Schema                                        string `json:"$schema"`
				Name, Version, Description, Title, WebsiteURL string
				Remotes                                       []struct{ Type, URL string }
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(readTree(t, dir)[".well-known/ai-catalog.json"]))
	d.DisallowUnknownFields()
	must(t, d.Decode(&catalog))
	if catalog.SpecVersion != "0.9" || catalog.Host.DisplayName == "" || len(catalog.Entries) != 1 {
		t.Fatalf("%+v", catalog)
	}
	e := catalog.Entries[0]
	if e.Identifier != "urn:air:rights.registry.example:colophon:mcp" || e.DisplayName == "" || e.Type != "application/mcp-server-card+json" {
		t.Errorf("the entry: %+v", e)
	}
	card := e.Data
	if !regexp.MustCompile(`^https://static\.modelcontextprotocol\.io/schemas/v1/server-card\.schema\.json$`).MatchString(card.Schema) ||
		card.Name != "example.registry.rights/colophon" || card.Version != exports.Version || card.Title == "" || len(card.Title) > 100 ||
		len(card.Description) < 1 || len(card.Description) > 100 {
		t.Errorf("the card: %+v", card)
	}
	if len(card.Remotes) != 1 || card.Remotes[0].Type != "streamable-http" || card.Remotes[0].URL != "https://rights.registry.example/mcp" {
		t.Errorf("the remotes: %+v", card.Remotes)
	}
}

// TestSecurityText checks the fields of security.txt (RFC 9116, section 2.5), and
// that there is no security.txt without a contact.
func TestSecurityText(t *testing.T) {
	t.Parallel()
	for contact, want := range map[string]string{"mailto:desk@registry.example": "Contact: mailto:desk@registry.example", "https://registry.example/report": "Contact: https://registry.example/report", "": ""} {
		store, dir := populated(t, 2)
		opt := testOptions(t, 2)
		opt.Brand.Contact = contact
		must(t, assert.Err(Build(t.Context(), store, dir, opt)))
		text := string(readTree(t, dir)[".well-known/security.txt"])
		if contact == "" {
			assert.Equal(t, text, "", "without a contact")
			continue
		}
		fields := map[string]string{}
		for line := range strings.Lines(text) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			if !ok || fields[name] != "" {
				t.Errorf("%q is no field, or one given twice", line)
			}
			fields[name] = value
		}
		expires, err := time.Parse(time.RFC3339, fields["Expires"])
		if err != nil || !strings.Contains(text, want+"\n") || fields["Canonical"] != opt.BaseURL+"/.well-known/security.txt" || fields["Preferred-Languages"] != "en" {
			t.Errorf("%s: %v", text, err)
		}
		var stats struct {
			Catalog struct {
				GeneratedAt time.Time `json:"generated_at"`
			}
		}
		must(t, json.Unmarshal(readTree(t, dir)[string(exports.KeyOf(exports.PathCategories))], &stats))
		if want := stats.Catalog.GeneratedAt.AddDate(1, 0, 0); !expires.Equal(want) {
			t.Errorf("it expires %s, not %s", expires, want)
		}
	}
}

// TestFavicon checks that favicon.ico is published and holds one PNG of the size
// that its directory states.
func TestFavicon(t *testing.T) {
	t.Parallel()
	b, err := brand.Favicon(brand.Paper)
	must(t, err)
	size, offset := binary.LittleEndian.Uint32(b[14:]), binary.LittleEndian.Uint32(b[18:])
	if !bytes.HasPrefix(b, []byte{0, 0, 1, 0, 1, 0}) || int(size+offset) != len(b) {
		t.Fatalf("the directory is % x", b[:22])
	}
	icon, err := png.DecodeConfig(bytes.NewReader(b[offset:]))
	if err != nil || icon.Width != int(b[6]) || icon.Height != int(b[7]) || icon.Width != 32 {
		t.Errorf("%v of %d by %d: %v", icon, b[6], b[7], err)
	}
	store, dir := newRegistry(t)
	build1(t, store, dir, 1)
	if tree := readTree(t, dir); !bytes.HasPrefix(tree["favicon.ico"], []byte{0, 0, 1, 0}) || exports.PolicyOf("favicon.ico").ContentType != "image/x-icon" {
		t.Error(fmt.Sprint("no favicon.ico, or as ", exports.PolicyOf("favicon.ico")))
	}
}

// TestOffersAreCountedAlike checks that the home page, the totals, the catalog, the
// rights map and its CSV count the open offers only, not paused or retired ones.
func TestOffersAreCountedAlike(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addSite(t, store, "alpha")
	addSite(t, store, "beta")
	addPage(t, store, "alpha", 1)
	for i, status := range []string{"offered", "paused", "retired", "offered", "paused", "offered", "retired"} {
		id := []string{"alpha", "beta"}[i%2]
		must(t, store.PutOffer(t.Context(), origin.Offer{LicenseID: fmt.Sprint("lic_", i), SiteID: id, Slug: fmt.Sprint("o-", i), Kind: "custom", Status: status, Title: "Offer", ScopeType: "site",
			Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-01T00:00:00Z"}))
	}
	build1(t, store, dir, 1)
	tree := readTree(t, dir)
	file := func(path string, v any) {
		t.Helper()
		must(t, json.Unmarshal(tree[string(exports.KeyOf(path))], v))
	}
	var stats struct {
		Offers int `json:"license_offers"`
	}
	var catalog struct{ Page struct{ Total int } }
	var list struct{ Data []struct{ Offers int } }
	file(exports.PathStats, &stats)
	file(exports.PathLicenseCatalog, &catalog)
	file(exports.PathMap, &list)
	onMap := 0
	for _, r := range list.Data {
		onMap += r.Offers
	}
	rows, err := csv.NewReader(bytes.NewReader(tree[string(exports.KeyOf(exports.PathMapCSV))])).ReadAll()
	must(t, err)
	inCSV := 0
	for _, row := range rows[1:] {
		n, _ := strconv.Atoi(row[slices.Index(rows[0], "offers")])
		inCSV += n
	}
	const want = 3 + 2 // addSite adds one offer to each of the two sites
	if stats.Offers != want || catalog.Page.Total != want || onMap != want || inCSV != want {
		t.Errorf("5 are open: totals %d, catalog %d, map %d, CSV %d", stats.Offers, catalog.Page.Total, onMap, inCSV)
	}
	if home := string(tree["index.html"]); !regexp.MustCompile(`(?i)offers</dt>\s*<dd[^>]*>5<`).MatchString(home) && !regexp.MustCompile(`(?i)<dd[^>]*>5</dd>\s*<dt[^>]*>offers`).MatchString(home) {
		t.Errorf("home does not count 5 offers: %s", home)
	}
}

// TestCheckLinksAreNotFollowed checks that every link to the check page with a
// query has rel="nofollow", because robots.txt forbids crawlers to read its target.
func TestCheckLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 2)
	build1(t, store, dir, 1)
	link, found := regexp.MustCompile(`<a [^>]*href="/check/\?[^>]*>`), 0
	for name, data := range readTree(t, dir) {
		for _, a := range link.FindAllString(string(data), -1) {
			found++
			if !strings.HasSuffix(name, ".html") || !strings.Contains(a, `rel="nofollow"`) {
				t.Errorf("%s: %s", name, a)
			}
		}
	}
	if found == 0 {
		t.Error("no link to the check page")
	}
}
