package intake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"colophon/internal/extract"
	"colophon/internal/origin"
)

// ErrTooFew is returned when a source has too few pages to learn from.
var ErrTooFew = errors.New("too few pages to learn a template from")

// TemplateDiff says what a template changes on the pages of its sample,
// against the one that was in force when it was made.
type TemplateDiff struct {
	Against string         `json:"against"` // digest of the template in force, "" if none
	Pages   int            `json:"pages"`
	Changed int            `json:"changed"` // pages whose text differs
	Pairs   []TemplatePair `json:"pairs"`   // the first of them, by address
}

// TemplatePair is a page whose text differs.
type TemplatePair struct {
	URL     string   `json:"url"`
	Removed []string `json:"removed"` // the first lines
	Added   []string `json:"added"`
}

// Bounds of a stored diff.
const (
	maxPairs     = 25
	maxDiffLines = 12
	maxDiffLine  = 160 // bytes
)

// ProposeTemplate learns a template of a site from the pages that a source
// lists, and stores it as a proposal. Nothing else changes. It returns
// ErrTooFew for fewer than extract.MinPages pages that can be read; other
// errors are as of Import.
func ProposeTemplate(ctx context.Context, store Store, opt Options) (origin.Template, error) {
	im, found, err := collectSample(ctx, store, opt)
	if err != nil {
		return origin.Template{}, err
	}
	defer im.closeSample()
	t, err := im.learnTemplate(ctx, found.sample.refs)
	if err != nil {
		return origin.Template{}, err
	}
	if t.Pages < extract.MinPages {
		return origin.Template{}, fmt.Errorf("%w: %d, at least %d are needed", ErrTooFew, t.Pages, extract.MinPages)
	}
	return im.proposeTemplate(ctx, t, found.sample.refs)
}

// collectSample lists a source to learn from. The caller must close the sample.
func collectSample(ctx context.Context, store Store, opt Options) (*importer, *listing, error) {
	im, err := newImporter(ctx, store, opt)
	if err != nil {
		return nil, nil, err
	}
	im.run.id = newRunID()
	found := im.collectRefs(ctx)
	if found.err != nil && !errors.Is(found.err, errStop) {
		im.fetch.close()
		return nil, nil, found.err
	}
	return im, found, nil
}

func (im *importer) closeSample() {
	im.fetch.close()
	im.removeKept()
}

// proposeTemplate stores a template as a proposal with its diff. A template
// that is already known is left as it is. The operator's selectors are carried
// over.
func (im *importer) proposeTemplate(ctx context.Context, t *extract.Template, sample []ref) (origin.Template, error) {
	active, before, err := activeTemplate(ctx, im.store, im.site.id)
	if err != nil {
		return origin.Template{}, err
	}
	if before != nil {
		if t, err = t.WithSelectors(before.Keep, before.Omit); err != nil {
			return origin.Template{}, err
		}
	}
	diff := im.diffTemplates(before, t, sample)
	diff.Against = active.Digest
	return putProposal(ctx, im.store, im.site.id, t, &diff, formatInstant(im.opt.Now()))
}

// activeTemplate reads the template in force, nil for none.
func activeTemplate(ctx context.Context, store Store, siteID string) (origin.Template, *extract.Template, error) {
	active, err := store.ActiveTemplate(ctx, siteID)
	if errors.Is(err, origin.ErrNotFound) {
		return origin.Template{}, nil, nil
	}
	if err != nil {
		return active, nil, err
	}
	t, err := extract.ParseTemplate([]byte(active.Document))
	return active, t, err
}

func putProposal(ctx context.Context, store Store, siteID string, t *extract.Template, diff *TemplateDiff, now string) (origin.Template, error) {
	digest := t.Digest()
	list, err := store.Templates(ctx, siteID)
	if err != nil {
		return origin.Template{}, err
	}
	row := origin.Template{SiteID: siteID, Digest: digest, State: origin.TemplateProposed, Document: string(t.Document()), MadeAt: now, ChangedAt: now}
	for _, known := range list {
		if known.Digest != digest {
			continue
		}
		if known.State != origin.TemplateProposed || diff == nil {
			return known, nil
		}
		row.MadeAt = known.MadeAt // a proposal whose changes are computed again
	}
	if diff != nil {
		text, err := json.Marshal(diff)
		if err != nil {
			return row, err
		}
		row.Diff = string(text)
	}
	return row, store.PutTemplate(ctx, row)
}

// SetSelectors proposes the template in force with other selectors of the
// operator. With a source, its diff is computed on the pages that the source
// lists; without one its changes are unknown. It returns an error that wraps
// extract.ErrSelector for a text that is not a CSS selector, and otherwise
// those of Import.
func SetSelectors(ctx context.Context, store Store, opt Options, keep, omit []string, now string) (origin.Template, error) {
	active, before, err := activeTemplate(ctx, store, opt.SiteID)
	if err != nil {
		return origin.Template{}, err
	}
	t := before
	if t == nil {
		t = extract.NewLearner(opt.SiteID).Template()
	}
	if t, err = t.WithSelectors(keep, omit); err != nil {
		return origin.Template{}, err
	}
	if opt.Source == "" {
		return putProposal(ctx, store, opt.SiteID, t, nil, now)
	}
	im, found, err := collectSample(ctx, store, opt)
	if err != nil {
		return origin.Template{}, err
	}
	defer im.closeSample()
	if _, err := im.learnTemplate(ctx, found.sample.refs); err != nil { // for the pages that it keeps
		return origin.Template{}, err
	}
	diff := im.diffTemplates(before, t, found.sample.refs)
	diff.Against = active.Digest
	return putProposal(ctx, store, opt.SiteID, t, &diff, now)
}

// diffTemplates compares the texts of a sample under two templates.
func (im *importer) diffTemplates(before, after *extract.Template, sample []ref) TemplateDiff {
	diff := TemplateDiff{}
	slices.SortFunc(sample, func(a, b ref) int { return strings.Compare(a.url.String(), b.url.String()) })
	for _, r := range sample {
		a := r.answer
		if a == nil {
			var p *problem
			var ok bool
			if a, p, ok = im.keptAnswer(r.url.String()); !ok || p != nil {
				continue
			}
		}
		old, ok := im.site.textUnder(a, before)
		if !ok {
			continue
		}
		text, _ := im.site.textUnder(a, after)
		diff.Pages++
		if old == text {
			continue
		}
		diff.Changed++
		if len(diff.Pairs) < maxPairs {
			lines := extract.DiffText(old, text)
			diff.Pairs = append(diff.Pairs, TemplatePair{URL: r.url.String(), Removed: clipLines(lines.Removed), Added: clipLines(lines.Added)})
		}
	}
	return diff
}

func clipLines(lines []string) []string {
	out := []string{}
	for _, line := range lines[:min(len(lines), maxDiffLines)] {
		out = append(out, clipText(line, maxDiffLine))
	}
	return out
}

// textUnder returns the text of a fetched page under a template; ok is false if
// it is not a page.
func (s *site) textUnder(a *answer, t *extract.Template) (text string, ok bool) {
	doc, at := s.parsePage(a)
	if doc == nil {
		return "", false
	}
	p := recoverPanic("HTML reader", func() *problem {
		text = doc.Extract(at, t).Text
		return nil
	})
	return text, p == nil
}
