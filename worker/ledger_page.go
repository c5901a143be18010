package worker

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/staticindex"
	"colophon/worker/edge"
)

// ledgerPage answers the search form of the ledger's page: the leaves that
// match, the last one first.
func ledgerPage(ctx context.Context, c *call) (*edge.Response, error) {
	asked, err := pageQuestion(c.Query, "q", "offset")
	if err != nil {
		return nil, err
	}
	q := strings.TrimSpace(asked.get("q"))
	if q == "" {
		return c.deps.serveFile(ctx, c.Request, nil)
	}
	rows, err := c.deps.catalog.LedgerSearch(ctx, staticindex.Ask{Q: q, Limit: strconv.Itoa(hitsOnPage), Offset: asked.get("offset")})
	if err != nil {
		return nil, err
	}
	m := (&markup{}).addTag(`<form class="search" action="` + exports.PathLedgerLog + `" method="get" role="search"><label for="q">Title, publisher, address, digest or entry id</label><div class="row"><input id="q" name="q" type="search" maxlength="200" required value="`)
	m.addText(q).addTag(`"><button type="submit">Search</button></div></form>`)
	ledgerTable(m, rows)
	pageLinks(m, exports.PathLedgerLog, &rows.Page, values{{"q", q}})
	link := exports.PathLedgerSearch + "?q=" + string(staticindex.AppendEscaped(nil, q))
	m.addTag(`<p class="note">What is in the log was recorded; that says nothing about rights. <a href="`).addText(link).addTag(`" type="application/json">This answer as JSON</a> · <a href="` + exports.PathLedgerLog + `">The ledger</a></p>`)
	resp := c.respondPage(ctx, 200, "Search of the ledger", m)
	resp.Header.Set("cache-control", cacheComputed)
	return addValidators(c.Request, resp, entityTag(resp.Body)), nil
}

func ledgerTable(m *markup, rows *listing.Ledger) {
	if rows.Page.Total == 0 {
		m.addElement("h2", "No leaf matches")
		return
	}
	m.addElement("h2", exports.Counted(rows.Page.Total, "leaf matches", "leaves match"))
	m.addTag(`<section class="scroll" tabindex="0" aria-label="Leaves"><table><thead><tr><th scope="col" class="num">Index</th><th scope="col">Event</th><th scope="col">What</th><th scope="col">Dated</th></tr></thead><tbody>`)
	for i := range rows.Data {
		r := &rows.Data[i]
		m.addTag(`<tr><td class="num">`).addText(exports.Count(r.Index)).addTag("</td><td>").addText(exports.EventWord(r.Event, r.Reason)).addTag("</td><td>")
		switch {
		case r.EntryID != "" && r.Title != "":
			m.addTag(`<a href="`).addText(exports.CitationPage(r.EntryID)).addTag(`"><bdi>`).addText(exports.Clean(r.Title, 300)).addTag("</bdi></a>")
		default:
			m.addTag("<bdi>").addText(cmp.Or(exports.Clean(r.Publisher, 120), "the log itself")).addTag("</bdi>")
		}
		m.addTag(`</td><td><time datetime="`).addText(r.At).addTag(`">`).addText(exports.Day(r.At)).addTag("</time></td></tr>")
	}
	m.addTag("</tbody></table></section>")
}

// pageLinks links the pages before and after this one; asked are the fields of
// the question, without the offset.
func pageLinks(m *markup, path string, p *exports.Page, asked values) {
	if p.Offset == 0 && p.NextOffset < 0 {
		return
	}
	link := func(rel, label string, offset int64) {
		m.addTag(`<a rel="` + rel + `" href="` + path + "?")
		for _, v := range asked {
			if v.text != "" {
				m.addText(v.name + "=" + string(staticindex.AppendEscaped(nil, v.text)) + "&")
			}
		}
		m.addTag("offset=" + strconv.FormatInt(offset, 10) + `">` + label + "</a> ")
	}
	m.addTag(`<nav class="pager" aria-label="Pages">`)
	if p.Offset > 0 {
		link("prev", "Previous", max(0, p.Offset-p.Limit))
	}
	m.addTag("<span>").addText(exports.Count(p.Offset+1) + " to " + exports.Count(min(p.Offset+p.Limit, p.Total)) + " of " + exports.Count(p.Total)).addTag("</span> ")
	if p.NextOffset >= 0 {
		link("next", "Next", p.NextOffset)
	}
	m.addTag("</nav>")
}
