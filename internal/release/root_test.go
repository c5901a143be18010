package release_test

import (
	"testing"

	"colophon/internal/release"
)

// TestRoot compares with roots that another program computed from lines as the
// documentation of Facts.Root describes them:
//
//	["hosts","a.example","a","associated"]
//	["offers","lic_1","a","dataset","current","A \"title\"",["rag","training"],[],[],["EU"],"2026-01-01T00:00:00Z","","00ff"]
//	["entries","abab…","010203040506","","https://b.example/x","cdcd…","","b","Tide","en","article",1767225600000,0,"UUUUUUUU",2,-1]
//	["publishers","b","pub_b","B","https://b.example/","",true,12,"UUUUUUUU","2026-01-01T00:00:00Z","",0]
func TestRoot(t *testing.T) {
	const nothing, two = "sha-256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "sha-256:917d1b3410c1b5631bd34863246fdc59c0affbc0188dd96e6cfee1da11114191"
	entry := release.Entry{
		EntryOwn: [6]byte{1, 2, 3, 4, 5, 6}, URL: "https://b.example/x", Portable: make([]byte, 32), Site: "b", Title: "Tide", Language: "en", ContentFormat: "article",
		PublishedAt: 1_767_225_600_000, RightsVector: "UUUUUUUU", RecordVersion: 2, LedgerIndex: -1,
	}
	for i := range entry.URLSHA256 {
		entry.URLSHA256[i], entry.Portable[i] = 0xab, 0xcd
	}
	rows := []func(*release.Facts){
		func(f *release.Facts) {
			f.Add("hosts", "a", &release.Host{Host: "a.example", Site: "a", Basis: "associated"})
		},
		func(f *release.Facts) {
			f.Add("offers", "a", &release.Offer{LicenseID: "lic_1", Site: "a", Kind: "dataset", Status: "current", Title: `A "title"`, Permits: []string{"rag", "training"},
				Territories: []string{"EU"}, ValidFrom: "2026-01-01T00:00:00Z", Digest: "00ff"})
		},
		func(f *release.Facts) { f.Add("entries", "b", &entry) },
		func(f *release.Facts) {
			f.Add("publishers", "b", &release.Publisher{Site: "b", PublisherID: "pub_b", Name: "B", SiteURL: "https://b.example/", AcceptsInquiries: true, RegisteredPages: 12,
				RightsVector: "UUUUUUUU", RightsAsOf: "2026-01-01T00:00:00Z"})
		},
	}
	var none, forward, backward, fewer release.Facts
	for i := range rows {
		rows[i](&forward)
		rows[len(rows)-1-i](&backward)
		if i > 0 {
			rows[i](&fewer)
		}
	}
	for what, pair := range map[string][2]string{"nothing": {none.Root(), nothing}, "two publishers": {forward.Root(), two}, "in another order": {backward.Root(), two}} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
	if fewer.Root() == two {
		t.Error("a row that is missing does not show")
	}
}
