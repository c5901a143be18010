package extract

import (
	"sort"
	"strings"
)

// A survey evaluates the sketches of all pages of a sample once the stable ids
// are known. Its places are those of the learner's tree, merged if they differ
// in an id that is not stable.
type survey struct {
	l        *Learner
	names    []string           // of the places
	merged   []int32            // place of the tree -> place here
	parent   []int32            // place -> the place around it
	example  []string           // place -> a text that was seen there
	have     map[int32]int      // place -> pages that have it
	within   map[placePrint]int // text at a place -> pages
	anywhere map[uint64]int     // text -> pages
}

type placePrint struct {
	place int32
	print uint64
}

// placeSum sums up what was seen at a place on the pages that have it.
type placeSum struct {
	pages  int
	edge   int // pages where it is before or after all prose
	head   int // the same, or between the title at the head of the page and its prose
	links  int // pages where it holds a link to another page
	heads  int // pages that state their content, where it holds a heading of the first three ranks
	chars  int
	repeat int // letters of texts that repeat
	away   int // letters of links, of labels, and of names of pages
	fresh  int // letters of texts that do not repeat
}

func newSurvey(l *Learner, ids []string) *survey {
	s := &survey{l: l, have: map[int32]int{}, within: map[placePrint]int{}, anywhere: map[uint64]int{}}
	s.mergePlaces(ids)
	s.markEchoes()
	for i := range l.pages {
		s.countPage(&l.pages[i])
	}
	return s
}

// mergePlaces names the places by the stable ids.
func (s *survey) mergePlaces(ids []string) {
	stable := map[string]bool{}
	for _, id := range ids {
		stable[id] = true
	}
	byName := map[string]int32{}
	s.merged = make([]int32, len(s.l.places.nodes))
	for i, n := range s.l.places.nodes {
		name := ""
		if i != int(rootPlace) {
			step := n.tag + n.classes
			if stable[n.id] {
				step = n.tag + "#" + n.id
			}
			name = s.names[s.merged[n.parent]] + ">" + step
		}
		at, ok := byName[name]
		if !ok {
			at = int32(len(s.names))
			byName[name] = at
			s.names = append(s.names, name)
			s.example = append(s.example, n.example)
			parent := int32(-1)
			if i != int(rootPlace) {
				parent = s.merged[n.parent]
			}
			s.parent = append(s.parent, parent)
		}
		if n.example != "" && (s.example[at] == "" || n.example < s.example[at]) {
			s.example[at] = n.example
		}
		s.merged[i] = at
	}
}

// markEchoes marks the leaves that say the title of some page of the site.
func (s *survey) markEchoes() {
	named := map[uint64]bool{}
	for _, t := range s.l.titles {
		for _, print := range t.prints {
			named[print] = true
		}
	}
	for i := range s.l.pages {
		for j := range s.l.pages[i].leaves {
			f := &s.l.pages[i].leaves[j]
			f.echo = named[f.print] && f.rank == 0
		}
	}
}

// eachPlace calls do with the place of a leaf and all places around it, except
// the root.
func (s *survey) eachPlace(tree int32, do func(place int32)) {
	for at := s.merged[tree]; at > 0; at = s.parent[at] {
		do(at)
	}
}

func (s *survey) countPage(p *pageSketch) {
	onPage := map[int32]bool{}
	within := map[placePrint]bool{}
	anywhere := map[uint64]bool{}
	for i := range p.leaves {
		f := &p.leaves[i]
		s.eachPlace(f.place, func(at int32) {
			onPage[at] = true
			within[placePrint{at, f.print}] = true
		})
		anywhere[f.print] = true
	}
	for at := range onPage {
		s.have[at]++
	}
	for k := range within {
		s.within[k]++
	}
	for print := range anywhere {
		s.anywhere[print]++
	}
}

// isRepeated reports a text that most pages with the place have there.
func (s *survey) isRepeated(at int32, print uint64) bool {
	n := s.within[placePrint{at, print}]
	return n >= MinPages && float64(n) >= repeatBar*float64(s.have[at])
}

// proseSpan holds the numbers of leaves of a page that are its own: headings,
// and prose that no other page has.
type proseSpan struct {
	first int // of all
	body  int // of all but a title at the head of the page
	last  int // of all, -1 for none
}

func (s *survey) proseOf(p *pageSketch) proseSpan {
	span := proseSpan{first: len(p.leaves), body: len(p.leaves), last: -1}
	for i := range p.leaves {
		f := &p.leaves[i]
		if f.rank == 0 && (!f.prose || f.echo) {
			continue
		}
		if s.anywhere[f.print] >= MinPages || s.within[placePrint{s.merged[f.place], f.print}] >= 2 {
			continue
		}
		if span.last >= 0 || f.rank != 1 {
			span.body = min(span.body, i)
		}
		span.first, span.last = min(span.first, i), i
	}
	span.body = min(span.body, max(span.last, 0))
	return span
}

// sumPlaces adds up what was seen at each place.
func (s *survey) sumPlaces() map[int32]*placeSum {
	total := map[int32]*placeSum{}
	for i := range s.l.pages {
		p := &s.l.pages[i]
		span := s.proseOf(p)
		if span.last < 0 {
			continue // a page without prose says nothing about edges
		}
		linking := map[int32]bool{}
		for tree := range p.links {
			s.eachPlace(tree, func(at int32) { linking[at] = true })
		}
		for at, o := range s.sumPage(p, span) {
			a := total[at]
			if a == nil {
				a = &placeSum{}
				total[at] = a
			}
			a.addSum(&o.placeSum)
			if linking[at] {
				a.links++
			}
			if !o.inner {
				a.edge++
			}
			if !o.below {
				a.head++
			}
		}
	}
	return total
}

func (a *placeSum) addSum(o *placeSum) {
	a.pages++
	a.heads += min(o.heads, 1)
	a.chars += o.chars
	a.repeat += o.repeat
	a.away += o.away
	a.fresh += o.fresh
}

type placeOnPage struct {
	placeSum
	inner bool // it has a leaf among the prose of the page
	below bool // the same, the title at the head of the page not counting as prose
}

func (s *survey) sumPage(p *pageSketch, span proseSpan) map[int32]*placeOnPage {
	onPage := map[int32]*placeOnPage{}
	for i := range p.leaves {
		f := &p.leaves[i]
		s.eachPlace(f.place, func(at int32) {
			o := onPage[at]
			if o == nil {
				o = &placeOnPage{}
				onPage[at] = o
			}
			o.inner = o.inner || i >= span.first && i <= span.last
			o.below = o.below || i >= span.body && i <= span.last
			if p.stated && f.rank > 0 && f.rank <= 3 {
				o.heads++
			}
			chars := int(f.chars)
			o.chars += chars
			switch {
			case s.isRepeated(at, f.print):
				o.repeat += chars
			case f.echo || s.within[placePrint{at, f.print}] >= MinPages:
				o.away += chars // the label of a part, or the name of a page
			default:
				o.away += min(int(f.linked), chars)
				o.fresh += chars
			}
		})
	}
	return onPage
}

// listRules lists the places that are not text, sorted, none inside another.
func (s *survey) listRules() []Rule {
	var list []Rule
	for at, a := range s.sumPlaces() {
		if why, share := s.judgePlace(a); why != "" {
			list = append(list, Rule{Place: s.names[at], Why: why, Pages: a.pages, Share: roundShare(share), Example: s.example[at]})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Place < list[j].Place })
	return outermostRules(list)
}

// judgePlace says why a place cannot be text; it returns "" when it can.
func (s *survey) judgePlace(a *placeSum) (why string, share float64) {
	if a.pages < MinPages || a.chars == 0 || 2*a.heads > a.pages {
		return "", 0
	}
	repeated := float64(a.repeat) / float64(a.chars)
	nav := float64(a.repeat+a.away) / float64(a.chars)
	common := float64(a.pages) >= navPages*float64(len(s.l.pages))
	if float64(a.edge) < edgeBar*float64(a.pages) {
		if common && float64(a.head) >= edgeBar*float64(a.pages) && nav >= headBar && float64(a.links) >= edgeBar*float64(a.pages) {
			return "navigation", nav
		}
		return "", 0
	}
	switch {
	case repeated >= repeatBar:
		return "repeated", repeated
	case common && nav >= navBar && a.fresh <= navChars*a.pages:
		return "navigation", nav
	case common && float64(a.links) >= edgeBar*float64(a.pages) && a.fresh <= smallChars*a.pages:
		return "small", nav
	}
	return "", 0
}

// outermostRules leaves out places inside other places of a sorted list.
func outermostRules(list []Rule) []Rule {
	var out []Rule
	kept := map[string]bool{}
	for _, r := range list {
		inside := false
		for i := 1; i < len(r.Place) && !inside; i++ {
			inside = r.Place[i] == '>' && kept[r.Place[:i]]
		}
		if !inside {
			kept[r.Place] = true
			out = append(out, r)
		}
	}
	return out
}

// listEdges returns the texts that precede or follow all prose on most pages.
func (s *survey) listEdges() []Edge {
	pages := map[uint64]int{}
	for i := range s.l.pages {
		p := &s.l.pages[i]
		span := s.proseOf(p)
		if span.last < 0 {
			continue
		}
		seen := map[uint64]bool{}
		for j := range p.leaves {
			f := &p.leaves[j]
			if f.rank > 0 || j >= span.first && j <= span.last || seen[f.print] {
				continue
			}
			seen[f.print] = true
			pages[f.print]++
		}
	}
	var list []Edge
	for print, n := range pages {
		if n >= MinPages && float64(n) >= edgeRepeat*float64(len(s.l.pages)) {
			list = append(list, Edge{Print: hexPrint(print), Pages: n, Example: s.l.edges[print]})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Print < list[j].Print })
	return list
}

// siteNames returns the parts that occur in the titles of most pages.
func (l *Learner) siteNames() []string {
	pages := map[string]int{}
	spelled := map[string]string{}
	for _, t := range l.titles {
		seen := map[string]bool{}
		for _, part := range t.parts {
			key := foldLetters(part)
			if key == "" || seen[key] {
				continue
			}
			seen[key] = true
			pages[key]++
			if spelled[key] == "" || part < spelled[key] {
				spelled[key] = part
			}
		}
	}
	var list []string
	for key, n := range pages {
		if n >= MinPages && float64(n) >= nameBar*float64(len(l.titles)) {
			list = append(list, strings.TrimSpace(spelled[key]))
		}
	}
	sort.Strings(list)
	return list
}
