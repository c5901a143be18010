package originsql_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql/origintest"
	"colophon/internal/originsql/tables"
)

// factTables returns the tables that the statement for the facts about sites
// reads, with their columns: SQLite says which it opens.
func factTables(t *testing.T) (list []tables.Table) {
	t.Helper()
	ctx, db := context.Background(), loadEmpty(t)
	text := ""
	for _, s := range origintest.AllStatements(ctx) {
		if s.Name == "read the rights of sites" {
			text = s.Text
		}
	}
	named := map[int64]string{} // tables by the root pages of themselves and their indexes
	schema, err := db.Query("SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0")
	must(t, err)
	defer schema.Close()
	for schema.Next() {
		var page int64
		var name string
		must(t, schema.Scan(&page, &name))
		named[page] = name
	}
	must(t, schema.Err())
	read := map[string]bool{}
	plan, err := db.Query("EXPLAIN "+text, "[]", "", 0)
	must(t, err)
	defer plan.Close()
	for plan.Next() {
		var opcode string
		var page int64
		var other any
		must(t, plan.Scan(&other, &opcode, &other, &page, &other, &other, &other, &other))
		if opcode == "OpenRead" {
			read[named[page]] = true
		}
	}
	must(t, plan.Err())
	all, err := tables.Of(ctx, db)
	must(t, err)
	for _, table := range all {
		if read[table.Name] && table.Name != "rights_versions" {
			list = append(list, table)
		}
	}
	return list
}

// TestEveryFactHasAVersion adds, changes and removes a row of each table that
// feeds a rights check, each column alone: the version of its site must be
// another one afterwards, and that of another site the same.
func TestEveryFactHasAVersion(t *testing.T) {
	ctx := context.Background()
	s, exec := origintest.Open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A"}))
	for _, id := range []string{"site-a", "site-b"} {
		must(t, s.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_a", Name: "A", SiteURL: "https://" + id + ".example/", State: origin.Approved, Visibility: "public"}))
	}
	version := func(siteID string) string {
		found, err := s.FindRights(ctx, origin.RightsLookup{SiteID: siteID})
		must(t, err)
		if len(found.Sites) != 1 || found.Sites[0].Version == "" {
			t.Fatalf("%s has the versions %v", siteID, found.Sites)
		}
		return found.Sites[0].Version
	}
	seen := map[string]bool{version("site-a"): true}
	other := version("site-b")
	writes := func(statement string) {
		t.Helper()
		must(t, exec(statement))
		if v := version("site-a"); seen[v] {
			t.Errorf("the version stayed after %s", statement)
		} else {
			seen[v] = true
		}
		if version("site-b") != other {
			t.Errorf("another site has another version after %s", statement)
			other = version("site-b")
		}
	}

	list := factTables(t)
	if len(list) < 6 {
		t.Errorf("only %d tables feed a check", len(list))
	}
	for _, table := range list {
		const where = " WHERE site_id = 'site-a'"
		if table.Name != "sites" {
			var names, values []string
			for _, c := range table.Columns {
				value := map[string]string{"TEXT": "'2026-01-01T00:00:00Z'", "INTEGER": "1", "BLOB": "''"}[c.Type]
				if c.Name == "site_id" {
					value = "'site-a'"
				}
				names, values = append(names, c.Name), append(values, value)
			}
			writes("INSERT INTO " + table.Name + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")")
		}
		for _, c := range table.Columns {
			if c.Name == "site_id" || c.Name == "publisher_id" {
				continue
			}
			change := c.Name + " + 1"
			if c.Type == "TEXT" {
				change = c.Name + " || 'x'"
			}
			writes(fmt.Sprintf("UPDATE %s SET %s = %s%s", table.Name, c.Name, change, where))
		}
		if table.Name != "sites" {
			writes("DELETE FROM " + table.Name + where)
		}
	}
}

// TestVersionsNeverReturn checks that a site that was removed and added again has
// another version.
func TestVersionsNeverReturn(t *testing.T) {
	ctx := context.Background()
	s, exec := origintest.Open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A"}))
	seen := map[string]bool{}
	for range 3 {
		must(t, s.PutSite(ctx, origin.Site{SiteID: "site-a", PublisherID: "pub_a", Name: "A", SiteURL: "https://a.example/"}))
		found, err := s.FindRights(ctx, origin.RightsLookup{SiteID: "site-a"})
		must(t, err)
		if v := found.Sites[0].Version; v == "" || seen[v] {
			t.Errorf("the version %q came twice", v)
		} else {
			seen[v] = true
		}
		must(t, exec("DELETE FROM sites WHERE site_id = 'site-a'"))
	}
}
