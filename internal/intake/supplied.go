package intake

import (
	"net/url"
)

// suppliedPage is a page whose text a source brings along.
type suppliedPage struct {
	url    *url.URL
	facts  draft  // what the source states of it
	body   string // its text
	format string // text, markdown, html
}

// takeSupplied makes a draft of a page that a source brought along.
func (s *site) takeSupplied(p *suppliedPage, limit int) (*draft, *problem) {
	if !s.ownsAddress(p.url) {
		return nil, skippedProblem(reasonForeignHost, "%s is not a host of site %q", p.url.Host, s.id)
	}
	d := p.facts
	d.extraction = extractionSupplied
	if p.format == "html" {
		d.extraction = extractionHTML
	}
	var problem *problem
	if d.canonical, problem = s.registeredAddress(p.url); problem != nil {
		return nil, problem
	}
	if problem = d.supply(p.body, p.format, p.url, limit); problem != nil {
		return nil, problem
	}
	return &d, d.finishDraft()
}
