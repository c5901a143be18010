package originsql

import (
	"context"
	"database/sql"
	"strconv"

	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

var (
	_ origin.Delivery = (*Store)(nil)
	_ origin.Bodies   = (*Store)(nil)
)

// digestOf returns the digest of the form of a body that is delivered by
// default.
func digestOf(b *origin.Body) string {
	form := b.Markdown
	if form == "" {
		form = b.Text
	}
	return credential.Digest(form)
}

// addDigests completes bodies that were written before digests were kept.
func addDigests(ctx context.Context, db *sql.DB) error {
	s := New(db)
	for {
		list, err := bodyTable.list(ctx, s, "list bodies without digest", "WHERE digest = '' LIMIT 200")
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if err := s.exec(ctx, write("write a digest", "UPDATE bodies SET digest = ?2 WHERE entry_id = ?1", list[i].EntryID, digestOf(&list[i].Body))); err != nil {
				return err
			}
		}
	}
}

// itemTable has everything about a page on which decisions depend, and no text.
var itemTable = recordsOf("pages p JOIN sites s ON s.site_id = p.site_id LEFT JOIN editions e ON e.entry_id = p.entry_id", 1, func(i *origin.Item) []column {
	return []column{
		{"p.entry_id", &i.EntryID}, {"p.site_id", &i.SiteID}, {"p.canonical_url", &i.CanonicalURL}, {"p.title", &i.Title},
		{"p.byline", words{&i.Byline}}, {"p.section", &i.Section}, {"p.terms", words{&i.Terms}}, {"p.language", &i.Language},
		{"p.content_format", &i.ContentFormat}, {"p.word_count", &i.WordCount}, {"p.published_at", &i.PublishedAt},
		{"p.modified_at", &i.ModifiedAt}, {"p.state", &i.State}, {"p.portable", &i.Portable}, {"s.name", &i.SiteName},
		{"s.state", (*string)(&i.SiteState)}, {"coalesce(e.version, 0)", &i.Version}, {"coalesce(e.digest, '')", &i.Digest},
		{"coalesce(e.bytes, 0)", &i.Bytes},
		{"CASE WHEN EXISTS (SELECT 1 FROM records x WHERE x.entry_id = p.entry_id) THEN 1 ELSE 0 END", flag{&i.Recorded}},
	}
})

// Items lists the pages of a site as items.
func (s *Store) Items(ctx context.Context, siteID, after string, limit int) ([]origin.Item, error) {
	return itemTable.list(ctx, s, "list items", "WHERE p.site_id = ?1 AND p.entry_id > ?2 ORDER BY p.entry_id LIMIT ?3", siteID, after, int64(limit))
}

// ItemsOf lists the first pages of some sites as items.
func (s *Store) ItemsOf(ctx context.Context, siteIDs []string, limit int) ([]origin.Item, error) {
	const rest = "WHERE p.site_id IN (SELECT value FROM json_each(?1) AS j) ORDER BY p.site_id, p.entry_id LIMIT ?2"
	return itemTable.list(ctx, s, "list items", rest, joinList(siteIDs), int64(limit))
}

// ItemsByID returns those of the pages that exist.
func (s *Store) ItemsByID(ctx context.Context, entryIDs []string) ([]origin.Item, error) {
	return itemTable.list(ctx, s, "read items", "WHERE p.entry_id IN (SELECT value FROM json_each(?1) AS j) ORDER BY p.entry_id", joinList(entryIDs))
}

// openBodies reads one form of each body that is asked for, together with
// everything that permits it: the credential, its buyer, the grant and its
// site, the publisher and the page. The conditions are those of
// rights.CheckGrants for a grant that was judged at this version: everything
// that its scope depends on, in the grant and in the page, must be unchanged.
// TestOpenBodiesAgreesWithCheckGrants compares the two. appendAsk writes the
// list that is read here.
const openBodies = `SELECT CAST(r.value ->> 0 AS BIGINT),
	CASE WHEN r.value ->> 1 = 'markdown' AND b.markdown <> '' OR r.value ->> 1 = 'html' AND b.html <> '' THEN r.value ->> 1 ELSE 'text' END,
	CASE WHEN r.value ->> 1 = 'markdown' AND b.markdown <> '' THEN b.markdown WHEN r.value ->> 1 = 'html' AND b.html <> '' THEN b.html ELSE b.text END,
	e.version
FROM json_each(?1) AS r
	CROSS JOIN grants g ON g.grant_id = r.value ->> 2
	CROSS JOIN buyers y ON y.buyer_id = g.buyer_id
	CROSS JOIN buyer_credentials c ON c.credential_id = r.value ->> 3
	CROSS JOIN pages p ON p.entry_id = r.value ->> 4
	CROSS JOIN grant_sites gs ON gs.grant_id = g.grant_id AND gs.site_id = p.site_id
	CROSS JOIN sites s ON s.site_id = p.site_id
	CROSS JOIN bodies b ON b.entry_id = p.entry_id
	CROSS JOIN editions e ON e.entry_id = p.entry_id
WHERE c.buyer_id = y.buyer_id AND c.state = 'active' AND (c.expires_at = '' OR c.expires_at > r.value ->> 5)
	AND y.buyer_id = r.value ->> 6 AND y.state = 'active'
	AND g.version = CAST(r.value ->> 7 AS BIGINT) AND g.state = 'active'
	AND g.valid_from <= r.value ->> 5 AND (g.valid_until = '' OR g.valid_until > r.value ->> 5)
	AND gs.state = 'active'
	AND s.site_id = r.value ->> 8 AND s.state = 'approved'
	AND p.state = 'active'
	AND p.content_format = r.value ->> 9 AND p.published_at = r.value ->> 10 AND p.canonical_url = r.value ->> 11`

// appendAsk writes the ask with number n as a list, as openBodies reads it.
func appendAsk(b []byte, n int, a *origin.BodyAsk) []byte {
	text := func(s string) { b = wire.AppendString(append(b, ','), s) }
	b = strconv.AppendInt(append(b, '['), int64(n), 10)
	text(a.Form)
	text(a.GrantID)
	text(a.CredentialID)
	text(a.EntryID)
	text(a.At)
	text(a.BuyerID)
	b = strconv.AppendInt(append(b, ','), a.GrantVersion, 10)
	text(a.SiteID)
	text(a.ContentFormat)
	text(a.PublishedAt)
	text(a.CanonicalURL)
	return append(b, ']')
}

// OpenBodies returns the bodies for which every condition of their ask holds.
func (s *Store) OpenBodies(ctx context.Context, asks []origin.BodyAsk) ([]*origin.LicensedBody, error) {
	list := []byte{'['}
	for i := range asks {
		if i > 0 {
			list = append(list, ',')
		}
		list = appendAsk(list, i, &asks[i])
	}
	list = append(list, ']')

	opened := make([]*origin.LicensedBody, len(asks))
	scan := func(r scanner) (n int64, err error) {
		body := new(origin.LicensedBody)
		err = r.Scan(&n, &body.Form, &body.Text, &body.Version)
		if err == nil {
			opened[n] = body
		}
		return n, err
	}
	if _, err := queryAll(ctx, s, scan, read("read licensed bodies", openBodies, string(list))); err != nil {
		return nil, err
	}
	return opened, nil
}
