package main

import (
	"bufio"
	"net/http"
	"os"
	"strings"
	"testing"

	"colophon/internal/assert"
)

func startWorld(t *testing.T) *webWorld {
	w := newHosts(t)
	w.dir += "/reg"
	w.put("site.example/robots.txt", "User-agent: *\nAllow: /\nSitemap: https://site.example/sitemap.xml\n")
	list := ""
	for _, name := range []string{"tides", "quays"} {
		w.put("site.example/"+name, "<!doctype html><html lang=en><head><title>On "+name+"</title></head><body><main><h1>On "+name+"</h1>"+
			strings.Repeat("<p>What the harbour keeps of "+name+" is written down every morning, before the first ship leaves the quay.</p>", 6)+"</main></body></html>")
		list += "<url><loc>https://site.example/" + name + "</loc></url>"
	}
	w.put("site.example/sitemap.xml", `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+list+`</urlset>`)
	return w
}

// TestInitFrom checks that one command leads from an address to a build, and
// that the same command again continues from there.
func TestInitFrom(t *testing.T) {
	t.Parallel()
	w := startWorld(t)
	start := []string{"init", "--from", "site.example", "--contact", "desk@registry.example", "--no-serve"}
	out := w.must(start...)
	assert.Contains(t, "the output", out, "publisher site-example, 2 pages in release", "decide: nothing shows who controls https://site.example/", "decide: records name http://127.0.0.1:8787")
	assert.Lacks(t, "a step that was taken is named as the next one", out, "next: colophon build")
	assert.Contains(t, "the publisher", w.must("publisher", "list"), "approved")
	for _, want := range []string{"continuing with the registry", "nothing is imported", "2 pages in release"} {
		if out := w.must(start...); !strings.Contains(out, want) {
			t.Errorf("again: no %q in\n%s", want, out)
		}
	}
	if out, ok := w.run("init"); ok || !strings.Contains(out, "initialized already") {
		t.Errorf("init alone: %s", out)
	}
}

func TestInitFromRefuses(t *testing.T) {
	t.Parallel()
	w := startWorld(t)
	for from, want := range map[string]string{"site.example/tides": "must be the home of a site", "http://site.example": "must be the home of a site"} {
		if out, ok := w.run("init", "--from", from, "--contact", "d@registry.example", "--no-serve"); ok || !strings.Contains(out, want) {
			t.Errorf("--from %q: %s", from, out)
		}
	}
}

// TestInitFromServes checks that a site with its own file is added through it,
// and that the result is served.
func TestInitFromServes(t *testing.T) {
	t.Parallel()
	w := startWorld(t)
	w.put("site.example/.well-known/colophon-publisher.json", `{"colophon_publisher":"1","name":"Site of the Harbour"}`)
	cmd := w.command("init", "--from", "https://site.example/", "--contact", "desk@registry.example", "--addr", "127.0.0.1:0")
	told, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	var all []string
	for lines := bufio.NewScanner(told); lines.Scan(); {
		all = append(all, lines.Text())
		address, serving := strings.CutPrefix(lines.Text(), "serving ")
		if !serving {
			continue
		}
		answer, err := http.Get(address + "/publishers/site-example/")
		must(t, err)
		answer.Body.Close()
		assert.Equal(t, answer.StatusCode, http.StatusOK, "the publisher's page answers")
		must(t, cmd.Process.Signal(os.Interrupt))
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, strings.Join(all, "\n"))
	}
	assert.Contains(t, "the publisher", w.must("publisher", "list"), "Site of the Harbour")
	assert.Contains(t, "the audit trail", w.must("audit", "--action", "init"), "init")
}
