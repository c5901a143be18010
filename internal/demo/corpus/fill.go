package corpus

import (
	"context"
	"unicode/utf8"

	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// Store is what FillPublishers and FillPages write to.
type Store interface {
	origin.Sites
	origin.Categories
	origin.Preferences
	origin.Pages
}

// FillPublishers writes the categories and publishers of the corpus to an
// origin store. Filling twice changes nothing.
func (c *Generator) FillPublishers(ctx context.Context, store Store) error {
	for _, slug := range Categories {
		if err := store.PutCategory(ctx, origin.Category{Slug: slug, Label: slug, ChangedAt: filledAt}); err != nil {
			return err
		}
	}
	for i := range c.Publishers {
		if err := c.fillPublisher(ctx, store, i); err != nil {
			return err
		}
	}
	return nil
}

// FillPages writes the pages from index from up to to, exclusive, to a store
// that has their publishers, with the invented text of each as its body.
// Filling twice changes nothing. It makes pages while it writes earlier ones.
func (c *Generator) FillPages(ctx context.Context, store Store, from, to int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	filled := make(chan filledPage, 64)
	go func() {
		defer close(filled)
		var coder iscc.Coder
		for i := from; i < to; i++ {
			select {
			case filled <- c.makePage(i, &coder):
			case <-ctx.Done():
				return
			}
		}
	}()
	for f := range filled {
		if f.err == nil {
			f.err = store.PutPage(ctx, f.page, &f.body)
		}
		if f.err != nil {
			return f.err
		}
	}
	return ctx.Err()
}

// filledAt is the date of everything that the corpus does not date.
const filledAt = "2026-01-01T00:00:00Z"

func (c *Generator) fillPublisher(ctx context.Context, store Store, i int) error {
	p := c.Publisher(i)
	if err := store.PutPublisher(ctx, origin.Publisher{PublisherID: p.PublisherID, LegalName: p.Name, CreatedAt: filledAt}); err != nil {
		return err
	}
	err := store.PutSite(ctx, origin.Site{
		SiteID: p.SiteID, PublisherID: p.PublisherID, Name: p.Name, SiteURL: p.SiteURL, Summary: p.Summary, Categories: p.Categories, Languages: p.Languages,
		Countries: p.Countries, Audience: p.Audience, TechnicalDepth: p.TechnicalDepth, RAGSuitability: p.RAGSuitability, DomainControl: p.DomainControl,
		AcceptsInquiries: p.AcceptsInquiries, State: origin.Approved, Visibility: "public", ApprovedAt: filledAt, CreatedAt: filledAt, ChangedAt: filledAt,
	})
	if err != nil {
		return err
	}
	for _, s := range p.Preferences {
		err := store.PutPreference(ctx, origin.Preference{SiteID: p.SiteID, Use: s.Use, Inquiry: s.Inquiry, Declared: s.Declared, Conditions: s.Conditions, Since: s.Since, Source: s.Source, ChangedAt: filledAt})
		if err != nil {
			return err
		}
	}
	have, err := store.Passports(ctx, p.SiteID)
	if err != nil || len(have) > 0 {
		return err
	}
	return store.AddPassport(ctx, origin.Passport{SiteID: p.SiteID, Version: 1, PassportID: "rp_" + p.SiteID, HolderName: p.Name, HolderBasis: "stated_by_publisher", EffectiveFrom: filledAt, ChangedAt: filledAt})
}

type filledPage struct {
	page origin.Page
	body origin.Body
	err  error
}

// makePage returns page i as it is stored; its digests are those of its text.
func (c *Generator) makePage(i int, coder *iscc.Coder) filledPage {
	e, text := c.Page(i), c.Text(i)
	canonical, err := canonicaltext.CanonicalText(text)
	if err != nil {
		return filledPage{err: err}
	}
	p := origin.Page{
		SiteID: e.SiteID, CanonicalURL: e.URL, Title: e.Title, Section: e.Section, Terms: e.Terms, Language: e.Language, ContentFormat: e.ContentFormat,
		WordCount: e.WordCount, PublishedAt: e.PublishedAt, ModifiedAt: e.ModifiedAt, RegisteredAt: e.RegisteredAt, ChangedAt: max(e.RegisteredAt, e.ModifiedAt),
		State: "active", Extraction: "publisher-supplied-text",
	}
	p.EntryID = urlkey.EntryID(p.SiteID, p.CanonicalURL)
	if utf8.RuneCountInString(canonical) >= canonicaltext.MinTextRunes {
		p.Portable = canonicaltext.PortableDigest([]byte(canonical))
		code, _ := coder.Sum(canonical)
		p.ISCC = code.String()
		p.Registry = urlkey.RegistryDigest(p.SiteID, p.EntryID, p.CanonicalURL, p.Portable)
	}
	return filledPage{page: p, body: origin.Body{EntryID: p.EntryID, Text: text, Markdown: text, SHA256: canonicaltext.PortableDigest([]byte(text)), ChangedAt: p.ChangedAt}}
}
