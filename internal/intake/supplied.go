package intake

import (
	"net/url"
)

// suppliedPage is a page whose text is part of the source.
type suppliedPage struct {
	url    *url.URL
	facts  draft  // what the source states about it
	body   string // its text
	format string // text, markdown, html
}

// takeSupplied returns the draft of a page whose text is part of the source.
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
