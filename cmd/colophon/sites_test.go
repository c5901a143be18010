//go:build unix

package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	snippets = "../../clients/snippets/"
	sitemap  = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://site.example/tides/</loc></url></urlset>`
	tides    = "The tide follows the moon around the harbour, twice a day, and twice a month it follows closely.\n"
)

// writeAll writes files into a folder.
func writeAll(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func buildByHugo(t *testing.T) (public string) {
	folder := t.TempDir()
	writeAll(t, folder, map[string]string{
		"config.toml":                  "baseURL = \"https://site.example/\"\ntitle = \"Site of Example\"\ndisableKinds = [\"taxonomy\", \"term\", \"RSS\"]\n",
		"content/tides.md":             "---\ntitle: Tides\n---\n" + strings.Repeat(tides, 5),
		"layouts/_default/baseof.html": `<!doctype html><html lang="en"><head><title>{{ .Title }}</title>{{ partial "colophon.html" . }}</head><body><main>{{ block "main" . }}{{ end }}</main></body></html>`,
		"layouts/_default/single.html": `{{ define "main" }}<article><h1>{{ .Title }}</h1>{{ .Content }}</article>{{ end }}`,
		"layouts/_default/list.html":   `{{ define "main" }}<h1>{{ .Title }}</h1>{{ end }}`,
		"static/.well-known/.keep":     "",
		"layouts/partials/.keep":       "",
	})
	mustRun(t, "cp", snippets+"colophon-publisher.json", filepath.Join(folder, "static/.well-known/"))
	mustRun(t, "cp", snippets+"head.html", filepath.Join(folder, "layouts/partials/colophon.html"))
	mustRun(t, "hugo", "--quiet", "--source", folder)
	return filepath.Join(folder, "public")
}

func buildByEleventy(t *testing.T) (public string) {
	folder := t.TempDir()
	writeAll(t, folder, map[string]string{
		"tides.md":            "---\nlayout: page.html\ntitle: Tides\n---\n" + strings.Repeat(tides, 5),
		"index.md":            "---\nlayout: page.html\ntitle: Site of Example\n---\nHarbours.\n",
		"_includes/page.html": `<!doctype html><html lang="en"><head><title>{{ title }}</title></head><body><main><article><h1>{{ title }}</h1>{{ content }}</article></main></body></html>`,
		"_site/sitemap.xml":   sitemap,
		"package.json":        `{ "type": "module" }`,
		".eleventyignore":     "README.md\nhead.html\n",
	})
	for _, name := range []string{"colophon-publisher.json", "head.html", "eleventy/eleventy.config.mjs"} {
		mustRun(t, "cp", snippets+name, folder)
	}
	program, err := filepath.Abs("../../tools/sites/node_modules/@11ty/eleventy/cmd.cjs")
	must(t, err)
	cmd := exec.Command("node", program, "--quiet")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("eleventy: %v\n%s", err, out)
	}
	return filepath.Join(folder, "_site")
}

// serveByNginx serves a folder with the snippet for nginx.
func serveByNginx(t *testing.T, public string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address = l.Addr().String()
	l.Close()
	include, err := filepath.Abs(snippets + "nginx/colophon-publisher.conf")
	must(t, err)
	folder := t.TempDir()
	mustRun(t, "chmod", "-R", "a+rX", filepath.Dir(filepath.Dir(public)), folder) // nginx's workers run as another user
	writeAll(t, folder, map[string]string{"nginx.conf": fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log stderr; events {}
http {
	include /etc/nginx/mime.types; access_log off;
	client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server { listen %[2]s; root %[3]s; include %[4]s; }
}
`, folder, address, public, include)})
	startBeside(t, exec.Command("nginx", "-p", folder, "-e", "stderr", "-c", filepath.Join(folder, "nginx.conf")))
	return address
}

// TestSites builds a site with each generator and its snippets, serves it with
// nginx and the snippet for nginx, and adds it to a registry. Run it with "make
// test-sites".
func TestSites(t *testing.T) {
	t.Parallel()
	if os.Getenv("COLOPHON_SITES") == "" {
		t.Skip("needs COLOPHON_SITES: make test-sites")
	}
	for name, build := range map[string]func(*testing.T) string{"Hugo": buildByHugo, "Eleventy": buildByEleventy} {
		t.Run(name, func(t *testing.T) {
			w := newHosts(t)
			w.put("site.example/*", "^ "+serveByNginx(t, build(t)))
			roots := x509.NewCertPool()
			root, err := os.ReadFile(os.Getenv("SSL_CERT_FILE"))
			if err != nil || !roots.AppendCertsFromPEM(root) {
				t.Fatal("the root of the world cannot be read")
			}
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, DialContext: dialing(w.address)}}
			get := func(path string) (*http.Response, string) {
				res, err := client.Get("https://site.example" + path)
				must(t, err)
				defer res.Body.Close()
				body, err := io.ReadAll(res.Body)
				must(t, err)
				return res, string(body)
			}
			waitUntil(t, "nginx", func() bool { res, _ := get("/tides/"); return res.StatusCode == 200 })

			res, page := get("/tides/")
			if !slices.Contains(res.Header.Values("Link"), `</.well-known/colophon-publisher.json>; rel="colophon-publisher"`) ||
				res.Header.Get("Content-Usage") != "train-ai=n, ai-use=n" || res.Header.Get("Tdm-Reservation") != "1" {
				t.Errorf("the header fields are %q", res.Header)
			}
			head, _, _ := strings.Cut(page, "</head>")
			for _, element := range strings.Split(strings.TrimSpace(readAll(t, snippets+"head.html")), "\n") {
				if !strings.Contains(head, element) {
					t.Errorf("the head lacks %s:\n%s", element, page)
				}
			}
			if res, file := get("/.well-known/colophon-publisher.json"); res.StatusCode != 200 || res.Header.Get("Content-Type") != "application/json" || file != readAll(t, snippets+"colophon-publisher.json") {
				t.Errorf("the file: %d %s", res.StatusCode, file)
			}

			w.must("init", "--base-url", "https://registry.example")
			w.must("publisher", "add", "https://site.example/")
			w.must("publisher", "approve", "site-example")
			w.must("import", "--site", "site-example")
			w.must("build")
			if records := w.published("v1/public/sites/site-example/contentdna-provenance.json"); !strings.Contains(records, `"https://site.example/tides/"`) {
				t.Errorf("the page is not registered:\n%s", records)
			}
			if out, ok := w.run("lint", "https://site.example/tides/", "--assert", "training=deny,search_indexing=allow"); !ok {
				t.Errorf("lint:\n%s", out)
			}
		})
	}
}

func readAll(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return string(data)
}
