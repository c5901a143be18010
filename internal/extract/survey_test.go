package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestTemplateTellsBoilerplateFromText has a site for each rule of the learner:
// what its pages share, where that is, and whether it is text.
func TestTemplateTellsBoilerplateFromText(t *testing.T) {
	const shared = "Printed by the harbour press on paper of its own"
	for _, c := range []struct {
		name string
		body func(own string, i int) string
		kept bool
	}{
		{"a place that repeats at the end", func(own string, _ int) string {
			return "<main>" + own + `<div class="foot">` + shared + `</div></main>`
		}, false},
		{"the same between the text", func(own string, _ int) string {
			return "<main>" + own + `<div class="foot">` + shared + "</div>" + own + "</main>"
		}, true},
		{"a heading in stated content", func(own string, _ int) string {
			return `<main><div class="name"><h2>` + shared + "</h2></div>" + own + "</main>"
		}, true},
		{"the same with an id of its page", func(own string, i int) string {
			return "<main>" + own + fmt.Sprintf(`<div class="foot" id="foot-%d">`, i) + shared + "</div></main>"
		}, false},
		{"a block among those of the text, at the end of the body", func(own string, _ int) string { return own + "<p>" + shared + "</p>" }, false},
		{"the same in stated content", func(own string, _ int) string { return "<main>" + own + "<p>" + shared + "</p></main>" }, true},
		{"on a third of the pages", func(own string, i int) string {
			if i < 4 {
				return "<main>" + own + `<div class="foot">` + shared + "</div></main>"
			}
			return "<main>" + own + "</main>"
		}, false},
		{"on a few pages", func(own string, i int) string {
			if i < 3 {
				return "<main>" + own + `<div class="foot">` + shared + "</div></main>"
			}
			return "<main>" + own + "</main>"
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkRule(t, c.body, shared, c.kept)
		})
	}
}

// TestTemplateTellsNavigation has parts that differ from page to page but are
// not text, beside parts that are text although they consist of links.
func TestTemplateTellsNavigation(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  func(own string, i int) string
		about string // of the third page
		kept  bool
	}{
		{"names of the pages beside it", func(own string, i int) string {
			return "<main>" + own + fmt.Sprintf(`<div class="near"><div>The part %c of it</div><div>The part %c of it</div></div></main>`, 'a'+(i+11)%12, 'a'+(i+1)%12)
		}, "The part d of it", false},
		{"links to other pages", func(own string, i int) string {
			return "<main>" + own + fmt.Sprintf(`<div class="more"><a href="/x%d.html">Some words on matter %c</a></div></main>`, i, 'k'+i)
		}, "Some words on matter m", false},
		{"links to other sites", func(own string, i int) string {
			return "<main>" + own + fmt.Sprintf(`<div class="more"><a href="http://b.example/x%d.html">Some words on matter %c</a></div></main>`, i, 'k'+i)
		}, "Some words on matter m", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkRule(t, c.body, c.about, c.kept)
		})
	}
}

// checkRule learns a site of twelve pages and looks for a text in the third.
func checkRule(t *testing.T, body func(own string, i int) string, text string, kept bool) {
	t.Helper()
	var pages []Page
	for i := range 12 {
		own := fmt.Sprintf("<p>Only the page %c says this, in a sentence that is long enough to be one.</p>", 'a'+i)
		title := fmt.Sprintf("<title>The part %c of it</title>", 'a'+i)
		pages = append(pages, page(fmt.Sprintf("http://a.example/p%d.html", i), title+"<body>"+body(own, i)))
	}
	tpl := learn(pages)
	x := read(t, pages[2].Body, tpl)
	if !strings.Contains(x.Text, "Only the page c says this") {
		t.Fatalf("the text is lost: %q\n%s", x.Text, tpl.Document())
	}
	if got := strings.Contains(x.Text, text); got != kept {
		t.Errorf("kept %v, want %v: %q\n%s", got, kept, x.Text, tpl.Document())
	}
}

// TestForeignNeedsWhatNearlyAllPagesHave checks that a page which lacks what
// only a third of the pages have still belongs to their template.
func TestForeignNeedsWhatNearlyAllPagesHave(t *testing.T) {
	for _, c := range []struct {
		have int
		want bool
	}{{4, false}, {11, true}} {
		var pages []Page
		for i := range 12 {
			text := fmt.Sprintf("<main><p>Only the page %c says this, in a sentence that is long enough to be one.</p>", 'a'+i)
			if i < c.have {
				text += `<div class="foot">Printed by the harbour press on paper of its own</div>`
			}
			pages = append(pages, page(fmt.Sprintf("http://a.example/p%d.html", i), "<body>"+text+"</main>"))
		}
		tpl := learn(pages)
		if x := read(t, pages[11].Body, tpl); x.Foreign != c.want {
			t.Errorf("%d of 12 pages have it: foreign %v, want %v\n%s", c.have, x.Foreign, c.want, tpl.Document())
		}
	}
}

func TestLanguageOfASite(t *testing.T) {
	for _, c := range []struct {
		english, german int
		want            string
	}{{10, 0, "en"}, {19, 1, "en"}, {5, 5, ""}, {3, 0, ""}} {
		var pages []Page
		for i := range c.english + c.german {
			text := english
			if i >= c.english {
				text = german
			}
			pages = append(pages, page(fmt.Sprintf("http://a.example/%d.html", i), fmt.Sprintf("<p>%s %d</p>", text, i)))
		}
		if got := learn(pages).Language; got != c.want {
			t.Errorf("%d English and %d German pages: %q, want %q", c.english, c.german, got, c.want)
		}
	}
}

// TestLearningIsBounded checks that little is kept of a page that is far too
// large.
func TestLearningIsBounded(t *testing.T) {
	l := NewLearner("a")
	l.Add(page("http://a.example/", "<body>"+strings.Repeat("<p>A line of the page.</p>", maxLeaves+500)))
	if n := len(l.pages[0].leaves); n != maxLeaves {
		t.Errorf("%d leaves are kept of it, want %d", n, maxLeaves)
	}
}

func TestFoldPrint(t *testing.T) {
	_, one := foldPrint("Page 9 of the Book")
	for text, same := range map[string]bool{"page 10 of the book": true, "Page – 127, of the book!": true, "Page nine of the book": false, "Page 9 of 10 of the book": false} {
		if _, other := foldPrint(text); (other == one) != same {
			t.Errorf("%q: same %v, want %v", text, !same, same)
		}
	}
}

func TestDetectLanguageOfEastAsia(t *testing.T) {
	for text, want := range map[string]string{"ja": "ja", "zh": "zh", "tw": "zh", "ko": "ko"} {
		if got, _ := DetectLanguage(scripts[text]); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
