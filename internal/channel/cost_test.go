package channel

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// manyAgents returns a robots.txt with one group for many agents and many
// rules.
func manyAgents(agents, rules int) string {
	var b strings.Builder
	for i := range agents {
		fmt.Fprintf(&b, "User-agent: bot%d\n", i)
	}
	for i := range rules {
		fmt.Fprintf(&b, "Disallow: /p%d/\n", i)
	}
	b.WriteString("Disallow: /shut/\n\nUser-agent: *\nAllow: /\n")
	return b.String()
}

// TestGroupsAreKeptOnce checks that the cost of a file grows with its length,
// not with the product of agents and rules.
func TestGroupsAreKeptOnce(t *testing.T) {
	r := robotsFile(manyAgents(150, 1000))
	if len(r.Statements) != 1002 || len(r.Groups) != 2 || len(r.Gaps) != 0 {
		t.Fatalf("%d statements in %d groups, gaps %v", len(r.Statements), len(r.Groups), r.Gaps)
	}
	answers := statements.Answers(documents(r), "/shut/a")
	if len(answers) != 16 { // everybody, and one class of agents
		t.Fatalf("%d answers", len(answers))
	}
	last := answers[len(answers)-1]
	if last.Agent != "bot0" || len(last.Alike) != 149 {
		t.Errorf("the class is %s and %d more", last.Agent, len(last.Alike))
	}
	for _, agent := range []string{"bot0", "BOT149"} {
		if got := read([]Result{r}, "/shut/a", agent, statements.Robots); got != "DDDDDDUD" {
			t.Errorf("%s: %s", agent, got)
		}
	}
}

// TestRobotsThatSayTheSameOfEachAgent reads a file that repeats one rule for
// each of a list of agents.
func TestRobotsThatSayTheSameOfEachAgent(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "User-agent: bot%d\nDisallow: /\n\n", i)
	}
	r := robotsFile(b.String())
	if len(r.Groups) != 1 || len(r.Groups[0].Agents) != 3000 || len(r.Statements) != 1 || len(r.Gaps) != 0 {
		t.Fatalf("%d groups, %d statements, gaps %v", len(r.Groups), len(r.Statements), r.Gaps)
	}
}

// TestBoundsLeaveAGap checks that what exceeds a bound is not read and leaves a
// warning.
func TestBoundsLeaveAGap(t *testing.T) {
	var groups, rules, agents strings.Builder
	for i := range 600 {
		fmt.Fprintf(&groups, "User-agent: bot%d\nDisallow: /%d\n", i, i)
	}
	rules.WriteString("User-agent: *\n")
	for i := range 20000 {
		fmt.Fprintf(&rules, "Disallow: /%d\n", i)
	}
	for i := range 21000 {
		fmt.Fprintf(&agents, "User-agent: b%d\n", i)
	}
	agents.WriteString("Disallow: /\n")
	for _, c := range []struct{ body, code string }{
		{groups.String(), "robots_too_many_groups"},
		{rules.String(), "too_many_statements"},
		{agents.String(), "robots_too_many_agents"},
		{"User-agent: *\nDisallow: /a\n" + strings.Repeat("# long\n", 80000) + "Disallow: /b\n", "document_truncated"},
		{"\ufeff" + strings.Repeat("u\x00s\x00", 20) + "\n", "robots_line_unreadable"},
	} {
		r := robotsFile(c.body)
		if len(r.Gaps) != 1 || r.Gaps[0].Code != c.code {
			t.Errorf("%.30q: gaps %v, want %s", c.body, r.Gaps, c.code)
		}
		if len(r.Statements) > maxStatements || len(r.Groups) > maxRobotsGroups {
			t.Errorf("%s: %d statements, %d groups", c.code, len(r.Statements), len(r.Groups))
		}
	}
}

// TestDocumentsStayInMemory reads the largest files that cause most work, and
// adds up what they allocate and what they keep.
func TestDocumentsStayInMemory(t *testing.T) {
	filled := func(head, each, tail string) string {
		return head + strings.Repeat(each, (MaxDocumentBytes-len(head)-len(tail)-100)/len(each)) + tail
	}
	for name, parse := range map[string]func() Result{
		"agents and rules": func() Result { return robotsFile(manyAgents(10000, 15000)) },
		"short rules":      func() Result { return robotsFile(filled("user-agent:*\n", "allow:/\n", "")) },
		"stars":            func() Result { return robotsFile(filled("user-agent:*\n", "allow:*a*a*a*a*b\n", "")) },
		"one line":         func() Result { return robotsFile(filled("user-agent:*\ndisallow:/", "*a", "\n")) },
		"licences":         func() Result { return robotsFile(filled("user-agent:*\n", "license:https://x.example/l\n", "")) },
		"rsl words": func() Result {
			return rslFile(rslDoc(filled(`<content url="/"><license><permits type="usage">`, "search all ", `</permits></license></content>`)))
		},
		"rsl users": func() Result {
			return rslFile(rslDoc(filled(`<content url="/"><license><prohibits type="user">`, "ab cd ", `</prohibits></license></content>`)))
		},
		"rsl licences": func() Result { return rslFile(rslDoc(filled(`<content url="/">`, `<license/>`, `</content>`))) },
		"rsl comments": func() Result {
			return rslFile(rslDoc(filled(`<content url="/"><license><permits type="usage">`, "a<!---->", `</permits></license></content>`)))
		},
		"tdmrep": func() Result {
			return ParseTDMRep(Input{Body: []byte(filled(`[`, `{"location":"/a","tdm-reservation":1},`, `{}]`))})
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := parse()
		answers := statements.Answers(documents(r), "https://harbor.example/"+strings.Repeat("a", 2000))
		runtime.ReadMemStats(&after)
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 256<<20 {
			t.Errorf("%s: %d MiB allocated in all", name, spent>>20)
		}
		if len(answers) > 100*8 {
			t.Errorf("%s: %d answers", name, len(answers))
		}
		if size := len(wire.Append(nil, &r.Document)); size > 4<<20 {
			t.Errorf("%s: %d KiB stored", name, size>>10)
		}
	}
}

// TestIndexAnswersAlike compares answers from an index with answers from the
// documents, and classes of agents with each agent.
func TestIndexAnswersAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"User-agent: *", "User-agent: foobot", "User-agent: barbot", "User-agent: bazbot",
			"Disallow: /", "Disallow: /a", "Allow: /a/b", "Disallow: /*.gif$", "Allow: /", "Disallow: /a*/c", "",
			"Content-Signal: ai-train=no", "Content-Signal: ai-train=yes, search=yes", "Content-Usage: /a train-ai=n", "Content-Usage: / train-ai=y",
			"License: https://harbor.example/one.xml", "License: https://harbor.example/two.xml",
		}), 0, 16).Draw(t, "lines")
		results := []Result{
			robotsFile(strings.Join(lines, "\n")),
			ParseRSL(Input{URL: "https://harbor.example/one.xml", Body: []byte(rslDoc(`<content url="/a"><license><permits type="usage">ai-train</permits></license></content>`))}),
			ParseRSL(Input{URL: "https://harbor.example/two.xml", Body: []byte(rslDoc(`<content url="/*"><license><prohibits type="usage">search</prohibits></license></content>`))}),
		}
		docs := documents(results...)
		index := statements.NewIndex(docs)
		path := "https://harbor.example" + rapid.SampledFrom([]string{"/", "/a", "/a/b", "/a/x/c", "/x.gif", "/x.gif?a"}).Draw(t, "path")
		want := statements.Answers(docs, path)
		if got := index.Answers(path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("index: %v\nscan: %v", got, want)
		}
		classed := map[string]string{}
		for _, a := range want {
			for _, agent := range append([]string{a.Agent}, a.Alike...) {
				classed[agent+" "+string(a.Channel)] += letterOf(a.Effect)
			}
		}
		for _, agent := range []string{"foobot", "barbot", "bazbot"} {
			for _, name := range []statements.Name{statements.RSL, statements.Robots, statements.AIPrefRobots, statements.ContentSignal} {
				alone := ""
				for _, a := range statements.Combine(docs, path, agent) {
					if a.Channel == name {
						alone += letterOf(a.Effect)
					}
				}
				inClass, told := classed[agent+" "+string(name)]
				if !told {
					inClass = classed[" "+string(name)]
				}
				if strings.Trim(inClass, "U") == "" {
					inClass = ""
				}
				if strings.Trim(alone, "U") == "" {
					alone = ""
				}
				if alone != inClass {
					t.Fatalf("%s %s at %s: alone %q, in a class %q\n%s", agent, name, path, alone, inClass, strings.Join(lines, "\n"))
				}
			}
		}
		if !slices.IsSorted(statements.Agents(docs)) {
			t.Fatal("agents are not sorted")
		}
	})
}

func letterOf(e statements.Effect) string { return "UAPD"[e : e+1] }
