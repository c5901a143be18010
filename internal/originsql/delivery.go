package originsql

import (
	"context"
	"database/sql"

	"colophon/internal/inquiry"
	"colophon/internal/origin"
)

var (
	_ origin.Delivery = (*Store)(nil)
	_ origin.Bodies   = (*Store)(nil)
)

// digestOf is the digest of the form of a body that is delivered by default.
func digestOf(b *origin.Body) string {
	form := b.Markdown
	if form == "" {
		form = b.Text
	}
	return inquiry.Digest(form)
}

// addDigests completes bodies that were written before digests were kept.
func addDigests(ctx context.Context, db *sql.DB) error {
	s := New(db)
	for {
		const query = "SELECT entry_id, text, markdown, html, sha256, changed_at FROM bodies WHERE digest = '' LIMIT 200"
		list, err := many(ctx, s.db, "list bodies without digest", scanBody, query)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := s.exec(ctx, "write a digest", "UPDATE bodies SET digest = ?2 WHERE entry_id = ?1", list[i].EntryID, digestOf(&list[i])); err != nil {
				return err
			}
		}
	}
}

// selectItem reads pages as items: what decides, and no text.
const selectItem = `SELECT p.entry_id, p.site_id, p.canonical_url, p.title, p.byline, p.section, p.terms, p.language, p.content_format,
	p.word_count, p.published_at, p.modified_at, p.state, p.portable, s.name, s.state, coalesce(e.version, 0), coalesce(e.digest, ''),
	coalesce(e.bytes, 0), EXISTS (SELECT 1 FROM records r WHERE r.entry_id = p.entry_id) FROM pages p JOIN sites s ON s.site_id = p.site_id LEFT JOIN editions e ON e.entry_id = p.entry_id `

func scanItem(r scanner) (i origin.Item, err error) {
	err = r.Scan(&i.EntryID, &i.SiteID, &i.CanonicalURL, &i.Title, words{&i.Byline}, &i.Section, words{&i.Terms}, &i.Language, &i.ContentFormat,
		&i.WordCount, &i.PublishedAt, &i.ModifiedAt, &i.State, &i.Portable, &i.SiteName, (*string)(&i.SiteState), &i.Version, &i.Digest, &i.Bytes, flag{&i.Recorded})
	return i, err
}

// Items lists the pages of a site as items.
func (s *Store) Items(ctx context.Context, siteID, after string, limit int) ([]origin.Item, error) {
	return many(ctx, s.db, "list items", scanItem, selectItem+"WHERE p.site_id = ?1 AND p.entry_id > ?2 ORDER BY p.entry_id LIMIT ?3", siteID, after, int64(limit))
}

// ItemsByID returns those of the pages that exist.
func (s *Store) ItemsByID(ctx context.Context, entryIDs []string) ([]origin.Item, error) {
	return many(ctx, s.db, "read items", scanItem, selectItem+"WHERE p.entry_id IN (SELECT value FROM json_each(?1)) ORDER BY p.entry_id", joined(entryIDs))
}

func scanLicensed(r scanner) (b origin.LicensedBody, err error) {
	err = r.Scan(&b.Form, &b.Text, &b.Version, &b.Digest)
	return b, err
}

// openBody reads one form of a body together with all that permits it: the
// credential, its buyer, the grant and its site, the publisher and the page.
// The conditions are those of rights.CheckGrants for a grant that was judged at
// this version: what its scope looks at, of the grant and of the page, must be
// as it was then. TestOpenBodyAgreesWithCheckGrants holds the two together.
const openBody = `SELECT CASE WHEN ?9 = 'markdown' AND b.markdown <> '' OR ?9 = 'html' AND b.html <> '' THEN ?9 ELSE 'text' END,
	CASE WHEN ?9 = 'markdown' AND b.markdown <> '' THEN b.markdown WHEN ?9 = 'html' AND b.html <> '' THEN b.html ELSE b.text END,
	e.version, e.digest
FROM grants g
	JOIN buyers y ON y.buyer_id = g.buyer_id
	JOIN buyer_credentials c ON c.buyer_id = y.buyer_id
	JOIN grant_sites gs ON gs.grant_id = g.grant_id
	JOIN sites s ON s.site_id = gs.site_id
	JOIN pages p ON p.site_id = s.site_id
	JOIN bodies b ON b.entry_id = p.entry_id
	JOIN editions e ON e.entry_id = p.entry_id
WHERE c.credential_id = ?10 AND c.state = 'active' AND (c.expires_at = '' OR c.expires_at > ?8)
	AND y.buyer_id = ?1 AND y.state = 'active'
	AND g.grant_id = ?4 AND g.version = ?5 AND g.state = 'active'
	AND g.valid_from <= ?8 AND (g.valid_until = '' OR g.valid_until > ?8)
	AND gs.site_id = ?3 AND gs.state = 'active'
	AND s.state = 'approved'
	AND p.entry_id = ?2 AND p.state = 'active'
	AND p.content_format = ?6 AND p.published_at = ?7 AND p.canonical_url = ?11`

// OpenBody returns a body while everything that the ask names is so, and
// origin.ErrNotFound otherwise.
func (s *Store) OpenBody(ctx context.Context, a origin.BodyAsk) (origin.LicensedBody, error) {
	return one(ctx, s.db, "read a licensed body", scanLicensed, openBody, a.BuyerID, a.EntryID, a.SiteID, a.GrantID, a.GrantVersion,
		a.ContentFormat, a.PublishedAt, a.At, a.Form, a.CredentialID, a.CanonicalURL)
}
