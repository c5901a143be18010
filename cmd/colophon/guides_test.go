package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/parquet-go/parquet-go"

	"colophon/internal/s3/s3test"
)

// A guide says how the shell blocks of a document are run: line by line, in one
// shell, in an empty folder.
type guide struct {
	path    string            // path of the document, relative to site/docs
	before  map[string]string // commands to run before the line that begins so; "" is before the first
	put     []string          // pairs of what readers fill in, and its value here
	omitted map[string]string // lines that begin so are not run here, with the reason
	want    []string          // expected output
}

var shellBlock = regexp.MustCompile("(?ms)^```sh(?: [a-z]+)?\n(.*?)^```$")

// script returns the shell script of a document: its shell blocks except those
// that call curl, which tools/pages/docs.test.mjs runs.
func (g *guide) script(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../site/docs", g.path))
	must(t, err)
	used := map[string]bool{"": true}
	lines := []string{g.before[""]}
	omits := false // whether a continued line is omitted
	for _, m := range shellBlock.FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], "curl ") {
			continue
		}
		for line := range strings.Lines(m[1]) {
			line = strings.TrimSuffix(line, "\n")
			for beginning, shell := range g.before {
				if beginning != "" && strings.HasPrefix(line, beginning) && !used[beginning] {
					used[beginning] = true
					lines = append(lines, shell)
				}
			}
			for beginning := range g.omitted {
				if strings.HasPrefix(line, beginning) {
					used[beginning], omits = true, true
				}
			}
			if !omits {
				lines = append(lines, line)
			}
			omits = omits && strings.HasSuffix(line, `\`)
		}
	}
	for _, beginning := range slices.Concat(slices.Collect(maps.Keys(g.before)), slices.Collect(maps.Keys(g.omitted))) {
		if !used[beginning] {
			t.Errorf("%s has no line %q", g.path, beginning)
		}
	}
	for i := 0; i < len(g.put); i += 2 {
		if !strings.Contains(strings.Join(lines, "\n"), g.put[i]) {
			t.Errorf("%s has no %q", g.path, g.put[i])
		}
	}
	return strings.NewReplacer(g.put...).Replace(strings.Join(lines, "\n")) + "\n"
}

// guideShell begins every script of a guide. Commands that fetch sites reach
// the test's sites, and a server runs until it reports its address.
const guideShell = `set -euo pipefail
trap 'echo "failed: $BASH_COMMAND" >&2' ERR
colophon() {
	case "$1 ${2:-}" in
	serve*) served "$@" ;;
	"publisher add" | import*) command colophon "$@" $WEB --dns "$DNS" ;;
	lint* | "template learn" | "template set") command colophon "$@" $WEB ;;
	*) command colophon "$@" ;;
	esac
}
served() {
	coproc SERVER { exec colophon "$@" --addr 127.0.0.1:0 2>&1; }
	local line pid=$SERVER_PID
	while read -r line <&"${SERVER[0]}"; do
		case $line in serving*) break ;; esac
	done
	kill "$pid"
	wait "$pid" || true
	case $line in serving*) echo "$line" ;; *) return 1 ;; esac
}
`

// run runs the blocks of a guide.
func (g *guide) run(t *testing.T, web *webWorld, env ...string) {
	t.Helper()
	cmd := exec.Command("bash", "-c", guideShell+g.script(t))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), env...)
	flags := "--allow-private"
	for _, host := range guideHosts {
		flags += " --connect-to " + host + ":443=" + web.address
	}
	cmd.Env = append(cmd.Env, "WEB="+flags, "DNS="+web.dns)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", g.path, err, out)
	}
	for _, want := range g.want {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: nothing prints %q:\n%s", g.path, want, out)
		}
	}
}

var guideHosts = []string{"harbor-ledger.example", "your-site.example"}

// newGuideWeb serves the sites of the guides: six pages with one template each.
func newGuideWeb(t *testing.T) *webWorld {
	t.Helper()
	w := &webWorld{t: t, pages: map[string]string{}, links: map[string]string{}, txt: map[string][]string{}}
	w.serveHTTPS(guideHosts...)
	w.serveDNS()
	for _, host := range guideHosts {
		w.put(host+"/robots.txt", "User-agent: *\nContent-Usage: train-ai=n, search=y\nAllow: /\n")
		var sitemap strings.Builder
		sitemap.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range 6 {
			path := fmt.Sprintf("/news/%d", i+1)
			fmt.Fprintf(&sitemap, "<url><loc>https://%s%s</loc></url>", host, path)
			w.put(host+path, fmt.Sprintf(`<html lang="en"><title>Report %d</title><body><nav>Home News About</nav><div class="story"><h1>Report %d</h1><p>%s</p></div>`+
				`<div class="related">Read on: another report</div></body></html>`, i, i, articleText(fmt.Sprintf("ship number %d", i))))
		}
		w.put(host+"/sitemap.xml", sitemap.String()+"</urlset>")
	}
	return w
}

const oneSite = `colophon init --dir registry --base-url https://registry.example
colophon publisher add harbor-ledger --name "Harbor Ledger" --site-url https://harbor-ledger.example/ --dir registry
colophon publisher approve harbor-ledger --dir registry
`

// guides are the documents whose shell blocks need only the program and the
// test's sites.
var guides = []guide{
	{
		path: "../../docs/deploy/laptop.md",
		want: []string{"1 records", "0 findings"},
	},
	{
		path: "mcp.md",
		omitted: map[string]string{
			"claude ": "the client is not ours; tools/mcp/clients.mjs connects the official ones",
			"npx ":    "the inspector comes from the registry of npm",
		},
	},
	{
		path: "provenance.md",
		want: []string{"9f2b42207617d82544606060cb5513cfc7c1c844432c2db14765cb6fbb7291c4"},
	},
	{
		path: "publishers.md",
		want: []string{"training"},
	},
	{
		path:   "self-hosting.md",
		before: map[string]string{"": oneSite + "colophon build --dir registry\nexport COLOPHON_DIR=$PWD/registry"},
		omitted: map[string]string{
			"colophon serve --addr :443 --acme":     "needs a name and an authority: make test-acme",
			"colophon serve --addr :443 --tls-cert": "needs a certificate: TestServesTLS",
			"make guard":                            "needs TinyGo: make test-edge",
			"GUARD_SITE=":                           "needs workerd: make test-edge",
			"node_modules/.bin/workerd":             "goes on from the line before",
			"install ":                              "needs systemd: make test-deploy checks the units",
			"systemctl ":                            "needs systemd: make test-deploy checks the units",
			"docker ":                               "needs an engine: make test-deploy builds the image and starts it",
		},
		want: []string{"serving "},
	},
}

func TestGuides(t *testing.T) {
	t.Parallel()
	web := newGuideWeb(t)
	for _, g := range guides {
		t.Run(strings.TrimSuffix(filepath.Base(g.path), ".md"), func(t *testing.T) { g.run(t, web) })
	}
}

// TestGuideForOperators runs the guide for operators, from the reviews on, in a
// registry in which pages wait for review and something was requested, sent and
// granted.
func TestGuideForOperators(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	g := guide{
		path: "operators.md",
		before: map[string]string{
			"colophon review list":      "export COLOPHON_DIR=" + w.dir + "\ncolophon build",
			"colophon import ./content": "cp -r " + writeSources(t) + "/. .",
			"colophon backup":           "cp " + w.words["identity"] + " backup-key.txt",
		},
		put: []string{
			"DIGEST", `"$(colophon template list --site harbor-ledger | awk '$2 == "proposed" { print $1; exit }')"`, "ENTRY_ID", w.words["waiting"], "release REQUEST_ID", "release " + w.words["held"], "REQUEST_ID", w.words["request"],
			"whk_01J9ZQ3M8V", w.words["webhook"], "GRANT_ID", w.words["grant"], "age1…", w.words["recipient"], "s3://bucket/", w.backups + "/", "reader@example.org", "new@example.org",
		},
		omitted: map[string]string{
			"make run": "make gate-pages asks the demo",
			"colophon publisher set harbor-ledger --host":  "a site that moves needs two hosts: TestPublisherMoves",
			"colophon import https://harborledger.example": "goes on from the line before",
			"colophon publisher move harbor-ledger":        "goes on from the line before",
			"colophon doctor":                              "needs the registry's host: TestDoctorFindsNothing",
			"colophon letter retry":                        "needs a mail server that refused a letter: TestFailedLetters",
			"wrangler ":                                    "needs Cloudflare",
			"colophon origin dump":                         "goes on from the line before",
			"export CLOUDFLARE_API_TOKEN":                  "needs Cloudflare",
			"export COLOPHON_ORIGIN=d1:":                   "needs Cloudflare",
		},
		want: []string{
			"+ offer harbor-ledger/grounding", "changed 0 records", "quay-times belongs to pub_north-house", "retired", "closed", "record 3", "withdrawn",
		},
	}
	g.run(t, newGuideWeb(t))
}

// writeSources writes what the guide imports besides sites, and returns its
// folder.
func writeSources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	html := func(about string) string { return "<p>" + articleText(about) + "</p>" }
	files := map[string]string{
		"content/post.md": "---\ntitle: Post\n---\n" + articleText("post"),
		"export.xml": `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>` +
			`<item><title>Blog</title><link>https://harbor-ledger.example/blog/</link><content:encoded><![CDATA[` + html("blog") + `]]></content:encoded><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`,
		"export.json": `{"db":[{"meta":{},"data":{"posts":[{"id":"1","title":"Ghost","slug":"ghost","html":"` + html("ghost") + `","status":"published","visibility":"public"}]}}]}`,
		"feed.xml": `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title><link>https://harbor-ledger.example/</link>` +
			`<item><title>Feed</title><link>https://harbor-ledger.example/feed/</link><content:encoded><![CDATA[` + html("feed") + `]]></content:encoded></item></channel></rss>`,
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte(text), 0o600))
	}
	var book bytes.Buffer
	z := zip.NewWriter(&book)
	for name, text := range map[string]string{
		"META-INF/container.xml": `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
		"book.opf": `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides</dc:title><dc:language>en</dc:language></metadata>` +
			`<manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/></spine></package>`,
		"one.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body><h1>One</h1>` + html("book") + `</body></html>`,
	} {
		part, err := z.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		must(t, err)
	}
	must(t, z.Close())
	must(t, os.WriteFile(filepath.Join(dir, "book.epub"), book.Bytes(), 0o600))
	return dir
}

// TestGuidesOfAServer runs the guides that call a running registry.
func TestGuidesOfAServer(t *testing.T) {
	t.Parallel()
	d := newDrill(t)
	d.ok("publisher", "add", "knooppunt", "--name", "Knooppunt", "--site-url", "https://knooppunt.example/")
	d.ok("publisher", "approve", "knooppunt")
	d.ok("build")
	d.serve(d.dir)
	record, err := filepath.Glob(filepath.Join(d.dir, "dist/v1/public/contentdna-provenance/ent_*.json"))
	if err != nil || len(record) == 0 {
		t.Fatalf("no record is published: %v", err)
	}
	corpus := filepath.Join(t.TempDir(), "corpus.parquet")
	must(t, parquet.WriteFile(corpus, []corpusRow{{URL: "https://harbor-ledger.example/news/1", Text: "Tides."}, {URL: "https://nowhere.example/", Text: "Nothing."}}))
	newest := func(list, prefix string) string { // the last id in a list
		return `"$(command colophon ` + list + ` --dir ` + d.dir + ` | grep -o '` + prefix + `[a-z0-9_]*' | tail -n 1)"`
	}
	for _, g := range []guide{
		{
			path:   "screening.md",
			before: map[string]string{"": "cp " + corpus + " ."},
			put:    []string{"http://127.0.0.1:8787", d.base},
		},
		{
			path:    "ledger.md",
			before:  map[string]string{"": "cp " + record[0] + " record.json; cp " + filepath.Join(d.dir, "dist/.well-known/service-provenance-keys.json") + " ."},
			put:     []string{"http://127.0.0.1:8787", d.base, "https://mirror.example", d.base},
			omitted: map[string]string{"go run ": "the tool runs until it is stopped; make tessera runs others of its module"},
		},
		{
			path:   "delivery.md",
			before: map[string]string{"": "export COLOPHON_DIR=" + d.dir},
			put: []string{
				"byr_live_…", d.buyer, "http://127.0.0.1:8787", d.base, "byr_…", newest("buyer list", "byr_"),
				"grt_…", newest("grant list", "grt_"), "crd_…", newest("buyer list", "crd_"),
			},
		},
	} {
		t.Run(g.path, func(t *testing.T) { g.run(t, newGuideWeb(t)) })
	}
}

// TestGuidesOverS3 runs the guides that need a bucket.
func TestGuidesOverS3(t *testing.T) {
	endpoint, _ := s3test.Start(t)
	bucket := "s3://" + s3test.Bucket + "/"
	secrets := []string{"AWS_ENDPOINT_URL_S3=" + endpoint}
	key, err := age.GenerateX25519Identity()
	must(t, err)
	web := newGuideWeb(t)
	makeKey := "echo " + key.String() + " > backup-key.txt\n"
	for _, g := range []guide{
		{
			path: "backups.md",
			before: map[string]string{
				"":                      oneSite + "colophon build --dir registry\n" + makeKey,
				"colophon restore":      "mv registry lost",
				"colophon serve --dir ": "",
			},
			put: []string{"s3://bucket/", bucket, "age1…", key.Recipient().String()},
			omitted: map[string]string{
				"age-keygen":      "the test makes the key with the library of age",
				"colophon doctor": "needs the registry's host: TestDoctorFindsNothing",
			},
		},
		{
			path:   "publishing.md",
			before: map[string]string{"": oneSite + makeKey},
			put:    []string{"s3://bucket", "s3://" + s3test.Bucket},
			omitted: map[string]string{
				"export AWS_ACCESS_KEY_ID": "the test has keys of its own",
				"colophon deploy":          "needs wrangler: make test-edge walks it",
				"AWS_REGION=auto":          "needs R2",
			},
		},
	} {
		t.Run(g.path, func(t *testing.T) { g.run(t, web, secrets...) })
	}
}

// TestGuideOfStoresInPostgres runs the guide that needs Postgres.
func TestGuideOfStoresInPostgres(t *testing.T) {
	t.Parallel()
	c := clusterOf(t)
	here, there := c.NewDatabase(t), c.NewDatabase(t)
	g := guide{
		path:   "stores.md",
		before: map[string]string{"colophon origin copy --dir registry": "colophon init --dir local --base-url https://registry.example"},
		put: []string{
			"'postgres://colophon@db.example/colophon?sslmode=verify-full'", "'" + here + "'",
			"copy --dir registry --to 'postgres://colophon@db.example/colophon'", "copy --dir local --to '" + there + "'",
			"copy --origin 'postgres://colophon@db.example/colophon' --to sqlite:registry/", "copy --dir registry --origin '" + there + "' --to sqlite:",
		},
		omitted: map[string]string{
			"export PGPASSFILE": "the test's Postgres trusts it",
			"colophon doctor":   "needs the registry's host: TestDoctorFindsNothing",
			"pg_dump ":          "the program of Postgres, which need not be here",
			"tar -c ":           "needs the program age",
		},
	}
	g.run(t, newGuideWeb(t))
}

// TestEveryGuideRuns checks that each guide with a shell block is named here.
// All are run here except "list-your-site.md", which TestListYourSite follows.
func TestEveryGuideRuns(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("guides_test.go")
	must(t, err)
	names, err := filepath.Glob("../../site/docs/*.md")
	must(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		must(t, err)
		for _, m := range shellBlock.FindAllStringSubmatch(string(text), -1) {
			if page := filepath.Base(name); !strings.Contains(m[1], "curl ") && !strings.Contains(string(source), fmt.Sprintf("%q", page)) {
				t.Errorf("%s has a shell block that no test runs:\n%s", page, m[1])
			}
		}
	}
}
