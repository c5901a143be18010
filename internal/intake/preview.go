package intake

import (
	"context"
	"fmt"

	"colophon/internal/extract"
	"colophon/internal/origin"
)

// Preview is what would become of one page.
type Preview struct {
	URL      string           `json:"url"`
	Template string           `json:"template"` // digest, "" if none
	How      string           `json:"how"`      // how its content was found: selector, stated, body
	Facts    []origin.Fact    `json:"facts"`
	Reasons  []extract.Reason `json:"review"`
	Blocks   []extract.Block  `json:"blocks"` // all visible text of the page
}

// PreviewPage fetches one page, opt.Source, and returns what would be kept of
// it, under the template of its site whose digest begins as given or, without
// one, under the template in force. It writes nothing.
func PreviewPage(ctx context.Context, store Store, opt Options, template string) (Preview, error) {
	im, err := newImporter(ctx, store, opt)
	if err != nil {
		return Preview{}, err
	}
	defer im.fetch.close()
	s := im.site
	at, err := parseAddress(opt.Source, nil)
	if err != nil {
		return Preview{}, usageError("%q: %v", opt.Source, err)
	}
	if err := s.chooseTemplate(ctx, store, template); err != nil {
		return Preview{}, err
	}
	a, p := im.fetch.fetchDocument(ctx, request{url: at, accept: acceptPages, limit: im.opt.MaxBytes})
	if p != nil {
		return Preview{}, sourceError("%v", p)
	}
	doc, public := s.parsePage(a)
	if doc == nil {
		return Preview{}, sourceError("%s is no HTML page of site %q", at, s.id)
	}
	x, blocks := extract.Compare(doc, public, s.template)
	return Preview{
		URL: a.url.String(), Template: s.templateDigest, How: x.How, Facts: factList(&x.Facts), Reasons: x.Review(), Blocks: blocks,
	}, nil
}

// chooseTemplate uses the template whose digest begins as given, or the one in
// force.
func (s *site) chooseTemplate(ctx context.Context, store Store, begin string) error {
	if begin == "" {
		active, _, err := activeTemplate(ctx, store, s.id)
		if err != nil || active.Digest == "" {
			return err
		}
		return s.setTemplate([]byte(active.Document), active.Digest)
	}
	t, err := FindTemplate(ctx, store, s.id, begin)
	if err != nil {
		return err
	}
	return s.setTemplate([]byte(t.Document), t.Digest)
}

// FindTemplate returns the only template of a site whose digest begins as
// given. Its error wraps ErrUsage when there is none, or more than one.
func FindTemplate(ctx context.Context, store Store, siteID, begin string) (origin.Template, error) {
	list, err := store.Templates(ctx, siteID)
	if err != nil {
		return origin.Template{}, err
	}
	var found []origin.Template
	for _, t := range list {
		if len(begin) <= len(t.Digest) && t.Digest[:len(begin)] == begin {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return origin.Template{}, fmt.Errorf("%w: %d templates of site %q have a digest that begins with %q", ErrUsage, len(found), siteID, begin)
	}
	return found[0], nil
}
