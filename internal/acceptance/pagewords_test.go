package acceptance_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/exports"
	"colophon/worker/edge"
)

// The words that pages show for the API's.
var (
	saidVerdict = map[string]string{
		"signal_allow": "Signals allow", "license_required": "Ask first", "declined": "Declined", "unknown": "Unknown", "withdrawn": "Withdrawn",
	}
	saidUse = map[string]string{
		"rag": "Retrieval (RAG)", "training": "Training", "fine_tuning": "Fine-tuning", "search_indexing": "Search indexing",
		"summarization": "Summarization", "datasets": "Datasets", "syndication": "Syndication", "research": "Research",
	}
	saidSignal = map[string]string{
		"found": "Found", "not_found": "Not found", "stale": "Out of date", "not_applicable": "Does not apply", "unchecked": "Not checked",
	}
	saidModel = map[string]string{
		"use": "for each use", "crawl": "for each crawl", "training": "for each training run", "free": "free of charge", "attribution": "attribution instead of money",
	}
)

// pageWords compares pages for people with the API's answers to the same
// questions.
type pageWords struct {
	*agreement
	compared map[string]int // number of comparisons, by kind
}

func (p *pageWords) read(path, query string) *html.Node {
	p.t.Helper()
	r := p.live(context.Background(), &edge.Request{Method: "GET", Path: path, Query: query, ID: "rid_x", Header: edge.Header{{Name: "accept", Value: "text/html"}}})
	if r.Status != 200 {
		p.t.Fatalf("%s?%s: %d", path, query, r.Status)
	}
	doc, err := html.Parse(bytes.NewReader(r.Body))
	must(p.t, err)
	return doc
}

func attrOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// all returns the elements below a node with a name, and with a class unless it
// is "".
func all(n *html.Node, name, class string) (out []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name && (class == "" || strings.Contains(" "+attrOf(d, "class")+" ", " "+class+" ")) {
			out = append(out, d)
		}
	}
	return out
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// hrefIn returns, for the first link in a node whose address begins with
// prefix, the next part of the path.
func hrefIn(n *html.Node, prefix string) string {
	for _, a := range all(n, "a", "") {
		if id, ok := strings.CutPrefix(attrOf(a, "href"), prefix); ok {
			id, _, _ = strings.Cut(id, "/")
			return id
		}
	}
	return ""
}

// stands returns the current verdict on each use by the live check, in words.
func (p *pageWords) stands(key string) map[string]string {
	out := map[string]string{}
	for use, verdict := range verdictsOf(get(p.check(key), "candidates.0.uses")) {
		out[saidUse[use]] = saidVerdict[verdict]
	}
	return out
}

func (p *pageWords) same(kind, where string, got, want any) {
	p.t.Helper()
	p.compared[kind]++
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.t.Errorf("%s, %s: the page says %v, the API %v", where, kind, got, want)
	}
}

// rightsLine returns the verdict on each use from a line that lists uses by
// verdict.
func rightsLine(n *html.Node) map[string]string {
	out := map[string]string{}
	for _, line := range all(n, "p", "rights") {
		for group := range line.ChildNodes() {
			states := all(group, "span", "state")
			if len(states) != 1 {
				continue
			}
			word := textOf(states[0])
			uses := strings.TrimSpace(strings.TrimPrefix(textOf(group), word))
			for _, use := range saidUse {
				if uses == "all eight uses" || strings.Contains(", "+uses+",", ", "+use+",") {
					out[use] = word
				}
			}
		}
		break
	}
	return out
}

// cells returns the verdict on each use from a card's row of letters.
func cells(n *html.Node) map[string]string {
	out := map[string]string{}
	for _, li := range all(all(n, "ul", "cells")[0], "li", "") {
		for _, use := range saidUse {
			if strings.Contains(textOf(li), " "+use+" : "+attrOf(li, "title")) {
				out[use] = attrOf(li, "title")
			}
		}
	}
	return out
}

// passport reads the list of eight uses.
func passport(n *html.Node) map[string]string {
	out := map[string]string{}
	for _, li := range all(n, "li", "") {
		heads, states := all(li, "h3", ""), all(li, "span", "state")
		if len(heads) != 1 || len(states) != 1 {
			continue
		}
		for _, use := range saidUse {
			if strings.HasPrefix(textOf(heads[0]), use+" ") {
				out[use] = textOf(states[0])
			}
		}
	}
	return out
}

// price returns the words that a page must have for a payment.
func price(payment any) []string {
	words := []string{saidModel[fmt.Sprint(get(payment, "model"))]}
	if amount, _ := get(payment, "amount").(string); amount != "" {
		words = append(words, amount+" "+fmt.Sprint(get(payment, "currency")))
	}
	return words
}

// facts returns a list of facts by name.
func facts(n *html.Node) map[string]string {
	out := map[string]string{}
	name := ""
	for d := range n.Descendants() {
		switch {
		case d.Type != html.ElementNode:
		case d.Data == "dt":
			name = textOf(d)
		case d.Data == "dd" && out[name] == "":
			out[name] = textOf(d)
		}
	}
	return out
}

func names(uses any) string {
	var out []string
	list, _ := uses.([]any)
	for _, u := range list {
		out = append(out, saidUse[u.(string)])
	}
	return strings.Join(out, ", ")
}

// offer compares an offer that a page shows.
func (p *pageWords) offer(where string, shown *html.Node, offer any) {
	f := facts(shown)
	for _, words := range price(offer.(map[string]any)["payment"]) {
		p.same("price", where, strings.Contains(f["Price"]+f["Payment"], words), true)
	}
	p.same("uses of an offer", where, strings.ReplaceAll(f["For"], "not stated", ""), names(get(offer, "uses.permits")))
	if f["Status"] != "" {
		p.same("status of an offer", where, strings.Split(f["Status"], ",")[0], get(offer, "status"))
	}
}

// listed returns all records of a list.
func (p *pageWords) listed(path, query string) (out []map[string]any) {
	for offset := 0; ; offset += 50 {
		doc := p.get(p.live, path, strings.TrimPrefix(fmt.Sprintf("%s&limit=50&offset=%d", query, offset), "&"))
		data := doc["data"].([]any)
		for _, x := range data {
			out = append(out, x.(map[string]any))
		}
		if len(data) < 50 {
			return out
		}
	}
}

func (p *pageWords) publisher(id string, offers map[string]any) {
	path := "/publishers/" + id + "/"
	page, doc, record := p.read(path, ""), p.get(p.live, exports.PublisherPath(id), ""), p.get(p.live, exports.MapPublisherPath(id), "")
	want := p.stands("site_id=" + id)
	p.same("verdicts at a glance", path, rightsLine(page), want)
	p.same("verdicts of a passport", path, passport(page), want)
	glance := facts(all(page, "section", "offer")[0])
	p.same("pages", path, glance["Proof"], counts(record["provenance_records"], "signed record", "signed records")+" of "+counts(doc["registered_pages"], "registered page", "registered pages"))
	p.same("whether it can be asked", path, strings.Contains(glance["Asking"], "Ask for a licence"), doc["accepts_inquiries"])
	open := 0 // a paused offer is shown but counted nowhere
	for _, article := range all(page, "article", "offer") {
		offer := offers[attrOf(article, "id")]
		if offer == nil {
			p.t.Errorf("%s: the API knows no offer %s", path, attrOf(article, "id"))
			continue
		}
		if get(offer, "status") == "offered" {
			open++
		}
		p.offer(path+"#"+attrOf(article, "id"), article, offer)
	}
	p.same("offers", path, open, record["offers"])

	var said, states []string
	for _, list := range all(page, "ul", "signals") {
		for _, state := range all(list, "p", "state") {
			said = append(said, textOf(state))
		}
	}
	for _, s := range record["readiness_signals"].([]any) {
		states = append(states, saidSignal[get(s, "state").(string)])
	}
	p.same("signals", path, said, states)
}

func counts(n any, one, many string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// cards compares lists of publishers.
func (p *pageWords) cards(path, query string) {
	for _, li := range all(p.read(path, query), "li", "") {
		if id := hrefIn(li, "/publishers/"); id != "" && len(all(li, "ul", "cells")) > 0 && len(all(li, "p", "meta")) > 0 && hrefIn(li, "/citations/") == "" {
			p.same("verdicts of a card", path+"?"+query+" "+id, cells(li), p.stands("site_id="+id))
			doc := p.get(p.live, exports.PublisherPath(id), "")
			p.same("pages of a card", path, strings.HasPrefix(textOf(all(li, "p", "meta")[0]), counts(doc["registered_pages"], "page", "pages")), true)
		}
	}
}

// hits compares lists of pages.
func (p *pageWords) hits(path, query string) {
	for _, li := range all(p.read(path, query), "li", "") {
		if id := hrefIn(li, "/citations/"); id != "" && len(all(li, "p", "rights")) > 0 {
			p.same("verdicts of a hit", path+"?"+query+" "+id, rightsLine(li), p.stands("entry_id="+id))
		}
	}
}

func (p *pageWords) citation(id string) {
	path := "/citations/" + id + "/"
	page, doc := p.read(path, ""), p.get(p.live, exports.CitationPath(id), "")
	p.same("verdicts of a citation", path, rightsLine(page), p.stands("entry_id="+id))
	r := p.live(context.Background(), &edge.Request{Method: "GET", Path: exports.RecordPath(id), ID: "rid_x"})
	p.same("whether a record is signed", path, !strings.Contains(textOf(page), "There is no signed record for this page."), r.Status == 200)
	p.same("fingerprint", path, strings.Fields(facts(page)["Fingerprint"] + " <nil>")[0], fmt.Sprint(get(doc, "fingerprints.portable.digest")))
	p.same("whether it was withdrawn", path, strings.Contains(textOf(page), "This entry was withdrawn."), doc["status"] == "withdrawn")
}

// box compares what the check page says about a page, with the offers that it
// names.
func (p *pageWords) box(id string, offers map[string]any) {
	page := p.read("/check/", "q="+id)
	p.same("verdicts of the box", "/check/?q="+id, passport(page), p.stands("entry_id="+id))
	for _, article := range all(page, "article", "offer") {
		_, lic, _ := strings.Cut(attrOf(all(article, "a", "")[0], "href"), "#")
		p.offer("/check/?q="+id+" "+lic, article, offers[lic])
	}
}

// onMap compares the rows of the map.
func (p *pageWords) onMap(path, query string) {
	for _, row := range all(p.read(path, query), "tr", "") {
		id := hrefIn(row, "/publishers/")
		cells := all(row, "td", "")
		if id == "" || len(cells) != 10 {
			continue
		}
		want, said := p.stands("site_id="+id), map[string]string{}
		for i, use := range []string{"rag", "training", "fine_tuning", "search_indexing", "summarization", "datasets", "syndication", "research"} {
			said[saidUse[use]] = strings.TrimSuffix(textOf(cells[i]), " channels disagree")
		}
		p.same("verdicts of a row", path+"?"+query+" "+id, said, want)
		record := p.get(p.live, exports.MapPublisherPath(id), "")
		p.same("readiness of a row", path+" "+id, textOf(cells[8]), strings.ReplaceAll(record["readiness"].(string), "_", " "))
		p.same("whether a row can be asked", path+" "+id, hrefIn(cells[9], "/publishers/") == id, p.get(p.live, exports.PublisherPath(id), "")["accepts_inquiries"])
	}
}

// TestPagesSayWhatTheAPISays checks, over the demo, that no page for people
// shows a verdict, price, count or state other than the API's answer to the
// same question. TestSurfacesAgreeOnTheDemo also compares the check page, for
// more audiences.
func TestPagesSayWhatTheAPISays(t *testing.T) {
	p := &pageWords{demoAgreement(t), map[string]int{}}

	offers := map[string]any{}
	for _, o := range p.listed(exports.PathLicenseCatalog, "status=offered,paused,retired") {
		offers[o["license_id"].(string)] = o
	}
	for _, m := range p.listed(exports.PathMap, "") {
		id := m["site_id"].(string)
		p.publisher(id, offers)
		p.hits("/publishers/"+id+"/pages/", "")
	}
	p.cards("/publishers/", "")
	p.cards("/publishers/", "verified=true")
	p.cards("/", "")
	for _, c := range p.get(p.live, exports.PathCategories, "")["data"].([]any) {
		p.cards("/categories/"+get(c, "slug").(string)+"/", "")
	}
	p.onMap("/rights-map/", "")
	p.onMap("/rights-map/", "q=harbor")
	p.hits("/catalog/", "")
	for _, q := range []string{"shipping", "tide", "tea", "weather"} {
		p.hits("/catalog/", "q="+q)
	}
	for i, e := range p.listed(exports.PathFeed, "") {
		p.citation(e["entry_id"].(string))
		if i%16 == 0 {
			p.box(e["entry_id"].(string), offers)
		}
	}
	for _, query := range []string{"offset=0", "offset=20", "use=rag", "payment=subscription"} {
		for _, article := range all(p.read("/offers/", query), "article", "offer") {
			_, id, _ := strings.Cut(hrefIn(article, "/publishers/")+attrOf(all(article, "a", "")[0], "href"), "#")
			p.offer("/offers/?"+query+" "+id, article, offers[id])
		}
	}
	p.needs("/demand/", "")
	p.needs("/demand/", "offset=0")
	p.figures()
	for _, kind := range []string{
		"verdicts at a glance", "verdicts of a passport", "verdicts of a card", "verdicts of a hit", "verdicts of a citation", "verdicts of a row", "verdicts of the box", "readiness of a row", "whether a row can be asked",
		"price", "uses of an offer", "status of an offer", "offers", "pages", "pages of a card", "signals", "whether it can be asked", "whether a record is signed", "fingerprint", "uses of a need", "budget of a need", "figure",
	} {
		if p.compared[kind] < 3 {
			t.Errorf("%s: only %d were compared", kind, p.compared[kind])
		}
	}
	t.Log(p.compared)
}

// needs compares buyers' needs.
func (p *pageWords) needs(path, query string) {
	known := map[string]map[string]any{}
	for _, d := range p.listed(exports.PathDemand, "") {
		known[d["demand_id"].(string)] = d
	}
	for _, li := range all(p.read(path, query), "li", "") {
		d := known[attrOf(li, "id")]
		if d == nil {
			continue
		}
		f := facts(li)
		p.same("uses of a need", path+attrOf(li, "id"), f["Uses"], names(d["uses"]))
		if budget, _ := d["budget_band"].(string); budget != "" {
			p.same("budget of a need", path+attrOf(li, "id"), f["Budget band"], budget)
		}
	}
}

// figures compares the numbers of the first page.
func (p *pageWords) figures() {
	stats := p.get(p.live, exports.PathStats, "")
	for _, div := range all(all(p.read("/", ""), "dl", "figures")[0], "div", "") {
		member := map[string]string{"publishers": "publishers", "registered pages": "registered_pages", "offers": "license_offers", "signed records": "provenance_records"}[textOf(all(div, "dt", "")[0])]
		p.same("figure", "/ "+member, strings.ReplaceAll(textOf(all(div, "dd", "")[0]), ",", ""), stats[member])
	}
}
