package channel

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel/statements"
)

// keeps returns what one channel says about keeping a copy, for each use, as
// one word if it is the same for all.
func keeps(r Result, path, agent string) string {
	var words []string
	for _, a := range statements.Combine([]statements.Document{r.Document}, "https://harbor.example"+path, agent) {
		words = append(words, a.Retention)
	}
	if len(words) == 0 || strings.Join(words, "") == "" {
		return ""
	}
	for _, w := range words {
		if w != words[0] {
			return strings.Join(words, ",")
		}
	}
	return words[0]
}

// TestRetentionOfChannels reads what each channel says about keeping a copy, by
// its own text. A robots directive about a cached link of search results, or
// about the end of a listing, says nothing about copies.
func TestRetentionOfChannels(t *testing.T) {
	page := func(s string) Result {
		r := ParseHTML(Input{URL: "https://harbor.example/x", Body: []byte("<head>" + s + "</head>")})
		return r
	}
	header := func(name, value string) Result {
		return ParseHeaders(Input{URL: "https://harbor.example/x", Fields: []Field{{name, value}}})
	}
	aiTxt := func(s string) Result {
		return ParseAITxt(Input{URL: "https://harbor.example/.well-known/ai.txt", Body: []byte("Site-Name: A\n" + s)})
	}
	for _, c := range []struct {
		name, agent, want string
		r                 Result
	}{
		{"stores and reuses nothing", "", "none", robotsFile("User-agent: *\nContent-Signal: search=yes, use=immediate\n")},
		{"for one agent", "gptbot", "none", robotsFile("User-agent: gptbot\nContent-Signal: use=immediate\n")},
		{"for another agent", "otherbot", "", robotsFile("User-agent: gptbot\nContent-Signal: use=immediate\n")},
		{"in a header field", "", "none", header("Content-Signal", "ai-train=no, use=immediate")},
		{"indexes and links back", "", "", robotsFile("User-agent: *\nContent-Signal: search=yes, use=reference\n")},
		{"summarizes and reproduces", "", "", robotsFile("User-agent: *\nContent-Signal: search=yes, use=full\n")},
		{"caching denied", "", "none", aiTxt("Caching: deny\n")},
		{"caching on a condition that the file does not state", "", "none", aiTxt("Caching: conditional\n")},
		{"caching allowed, which is the default of every file", "", "", aiTxt("Caching: allow\n")},
		{"caching of one agent", "gptbot", "none", aiTxt("Agent: gptbot\n  Caching: deny\n")},
		{"no word about caching", "", "", aiTxt("Training: deny\n")},
		{"no cached link in search results", "", "", page(`<meta name="robots" content="noarchive">`)},
		{"Bing: not in answers and training", "bingbot", "", page(`<meta name="bingbot" content="noarchive, nocache">`)},
		{"no cached link, by header", "", "", header("X-Robots-Tag", "noarchive")},
		{"no listing after an instant", "", "", page(`<meta name="robots" content="unavailable_after: 2025-12-31">`)},
		{"no listing after an instant, by header", "", "", header("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 GMT")},
		{"HTTP caches", "", "", header("Cache-Control", "no-store")},
		{"AIPREF", "", "", header("Content-Usage", "train-ai=n, search=y")},
	} {
		assert.Equal(t, keeps(c.r, "/x", c.agent), c.want, "%s: copies are kept", c.name)
	}
}

// TestRetentionAlone checks that a channel that says something about copies for
// a use is not reported as one that says nothing about the use.
func TestRetentionAlone(t *testing.T) {
	r := robotsFile("User-agent: *\nContent-Signal: search=yes, use=immediate\n")
	for _, a := range statements.Combine([]statements.Document{r.Document}, "https://harbor.example/x", "") {
		if a.Channel == statements.ContentSignal && (a.Why != "" || !strings.Contains(a.Value, "use=immediate")) {
			t.Errorf("%s: %q, why %q", a.Use, a.Value, a.Why)
		}
	}
}

// TestRetentionOfPublisherFile reads retentions of a publisher's own file: for
// the site, and more closely below a path, without hiding what else the file
// says about the use there.
func TestRetentionOfPublisherFile(t *testing.T) {
	r := ParsePublisherFile(Input{URL: "https://harbor.example/.well-known/colophon-publisher.json", Body: []byte(`{"colophon_publisher":"1","name":"A","preferences":[
		{"use":"rag","declared":"disallow","retention":"while_licensed"},
		{"use":"rag","retention":"P7D","paths":["/news/*"]},
		{"use":"search_indexing","declared":"allow","retention":"none"}]}`)})
	for path, want := range map[string]string{"/x": "while_licensed,,,none,,,,", "/news/x": "P7D,,,none,,,,"} {
		assert.Equal(t, keeps(r, path, ""), want, "%s", path)
		a := statements.Combine([]statements.Document{r.Document}, "https://harbor.example"+path, "")
		if a[0].Effect != statements.Disallow || a[3].Effect != statements.Allow || a[1].Effect != statements.Unknown {
			t.Errorf("%s: effects are %v %v %v", path, a[0].Effect, a[1].Effect, a[3].Effect)
		}
		if !strings.Contains(a[0].Value, "retention") || a[0].Use != exports.UseRAG {
			t.Errorf("%s: cited is %q", path, a[0].Value)
		}
	}
	if gone := statements.Combine([]statements.Document{r.Document}, "https://harbor.example/x", ""); gone[1].Why != statements.WhyNotCovered {
		t.Errorf("training: %+v", gone[1])
	}
}
