package channel

import (
	"testing"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

const ownFile = `{"colophon_publisher":"1","name":"A","hosts":["blog.site.example"],"preferences":[
{"use":"rag","declared":"allow"},{"use":"rag","declared":"disallow","paths":["/archive/*"]},
{"use":"training","declared":"disallow"},{"use":"research","declared":"allow","paths":["/archive/*"]},
{"use":"datasets","declared":"allow","conditions":["human_review"]},
{"use":"search_indexing","declared":"allow","conditions":["attribution"]}],
"offers":[{"slug":"s","title":"S","uses":["syndication"],"paths":["/news/*"],"payment":{"model":"use","amount":"1","currency":"EUR"}}]}`

// TestPublisherFileSays checks that for each use the longest path decides, and
// that what a file says about one use below a path leaves the others unchanged.
func TestPublisherFileSays(t *testing.T) {
	r := ParsePublisherFile(Input{URL: "https://site.example/.well-known/colophon-publisher.json", Body: []byte(ownFile)})
	if r.State != Valid || len(r.Gaps) != 0 || len(r.Warnings) != 0 {
		t.Fatalf("%+v", r)
	}
	docs := documents(r)
	for _, c := range []struct {
		url  string
		use  exports.Use
		want statements.Effect
	}{
		{"https://site.example/a", exports.UseRAG, statements.Allow},
		{"https://site.example/archive/1", exports.UseRAG, statements.Disallow},
		{"https://site.example/archive/1", exports.UseTraining, statements.Disallow},
		{"https://site.example/archive/1", exports.UseResearch, statements.Allow},
		{"https://site.example/a", exports.UseResearch, statements.Unknown},
		{"https://site.example/a", exports.UseDatasets, statements.Priced},
		{"https://site.example/a", exports.UseSearchIndexing, statements.Allow},
		{"https://site.example/news/1", exports.UseSyndication, statements.Priced},
		{"https://site.example/a", exports.UseSyndication, statements.Unknown},
		{"https://blog.site.example/a", exports.UseTraining, statements.Disallow},
	} {
		for name, answers := range map[string][]statements.Answer{"combined": statements.Combine(docs, c.url, ""), "indexed": statements.NewIndex(docs).Combine(c.url, "")} {
			if len(answers) != 8 || answers[c.use.Index()].Effect != c.want {
				t.Errorf("%s %s %s: %+v, want %s", name, c.url, c.use, answers, c.want)
			}
		}
	}
	for name, answers := range map[string][]statements.Answer{"combined": statements.Combine(docs, "https://away.example/a", ""), "indexed": statements.NewIndex(docs).Combine("https://away.example/a", "")} {
		if len(answers) != 0 {
			t.Errorf("%s: it speaks for a host that it does not list", name)
		}
	}
}

// TestPublisherFileRefused checks that a file with an error states nothing, and
// that no permission of another channel counts beside it.
func TestPublisherFileRefused(t *testing.T) {
	r := ParsePublisherFile(Input{URL: "https://site.example/.well-known/colophon-publisher.json", Body: []byte(ownFile[:200])})
	if r.State != Invalid || len(r.Statements) != 0 || len(r.Gaps) != 1 || len(r.Warnings) != 1 || r.Warnings[0].Code != "publisher_file_json_syntax" {
		t.Fatalf("%+v", r)
	}
	robots := ParseRobots(Input{URL: "https://site.example/robots.txt", Body: []byte("User-agent: *\nContent-Usage: train-ai=y\nAllow: /\n")})
	for _, a := range statements.Combine(documents(r, robots), "https://site.example/a", "") {
		if a.Effect == statements.Allow {
			t.Errorf("%s allows %s beside a file that was not read", a.Channel, a.Use)
		}
	}
	if page := ParsePublisherFile(Input{Body: []byte("<!doctype html><html>not found")}); len(page.Gaps) != 0 || page.State != Invalid {
		t.Errorf("a page for people: %+v", page)
	}
}
