package worker_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
	"colophon/worker"
)

const checkpointSeed = "0123456789abcdef0123456789abcdef"

// TestCheckpointSignature checks that a checkpoint is signed if there is a key,
// and that the signature covers everything it says.
func TestCheckpointSignature(t *testing.T) {
	signer, err := provrecord.NewSigner([]byte(checkpointSeed))
	must(t, err)
	m := newMarket(t, func(d *worker.Deps) { d.Signer = signer })
	checkpointSigned(t, m, func(credential, target string) answer { return m.get(credential, target) })
}

func checkpointSigned(t *testing.T, m *market, get func(credential, target string) answer) {
	signer, err := provrecord.NewSigner([]byte(checkpointSeed))
	must(t, err)
	credential := m.buyer("byr_main", "active")
	m.site("site-a", origin.Approved)
	m.page("site-a", "ent_1", "/a", "active", 1)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")
	body := strings.TrimSuffix(get(credential, exports.PathDeliveryDelta).body, "\n")
	last := body[strings.LastIndexByte(body, '\n')+1:]
	verify := func(line string) bool {
		v, err := wire.Parse([]byte(line), wire.Trusted)
		must(t, err)
		text, _ := v.Get("signature_b64u").Str()
		signature, err := base64.RawURLEncoding.DecodeString(text)
		must(t, err)
		public := signer.Public()
		return provrecord.Ed25519(public[:], v.Without("signature_b64u").Append([]byte("service.delivery-checkpoint.v1\n")), signature)
	}
	if !verify(last) || !strings.Contains(last, `"key_id":"`+signer.KeyID()+`"`) {
		t.Fatalf("not signed: %s", last)
	}
	for _, change := range [][2]string{{`"live_items":1`, `"live_items":2`}, {`"complete":true`, `"complete":false`}, {"byr_main", "byr_mine"}, {`"sequence":1`, `"sequence":2`}} {
		if other := strings.Replace(last, change[0], change[1], 1); other == last || verify(other) {
			t.Errorf("%s can be changed", change[0])
		}
	}
	var c exports.Checkpoint
	must(t, wire.Decode([]byte(last), &c, wire.Trusted))
	if c.HeldItems != 1 || !c.Complete || c.BuyerID != "byr_main" {
		t.Errorf("%+v", c)
	}
}

// TestDeliveryRecordsRoundTrip checks that every record of the delivery decodes
// what it encodes.
func TestDeliveryRecordsRoundTrip(t *testing.T) {
	const at = "2026-11-20T09:00:00Z"
	item := exports.Item{Type: "item", ItemID: "itm_1", EntryID: "ent_1", SiteID: "site-a", Version: 4, Sequence: 9, Title: "T \u2028", Byline: []string{"A"}, Language: "en",
		CanonicalURL: "https://a.example/", PublishedAt: at, ModifiedAt: at, WordCount: 7, Tags: []string{"x"}, Content: &exports.ItemContent{Format: "markdown", Text: "# \x00", SHA256: "s"},
		Portable: "p", Attribution: "A", Recorded: true, URI: "licensed://site-a/ent_1", Cursor: "c",
		Rights: exports.ItemRights{GrantID: "grt_1", GrantKind: "enterprise", Uses: []string{"rag"}, CheckedAt: at, DecisionID: "dec_1", ValidUntil: at, Attribution: "link", DisplayLimit: 6, DeleteHours: 72, Reporting: "https://r.example/"}}
	for _, pair := range [][2]wire.Record{
		{&item, &exports.Item{}},
		{&exports.Upsert{Change: "added", Sequence: 1, Cursor: "c.1", Item: item}, &exports.Upsert{}},
		{&exports.Tombstone{ItemID: "itm_1", Reason: "scope_changed", EffectiveAt: at, MustDeleteBy: at, Sequence: 2, Cursor: "c.2"}, &exports.Tombstone{}},
		{&exports.RightsChange{ItemID: "itm_1", Sequence: 3, Cursor: "c.3", GrantID: "grt_1", Uses: []string{"rag"}, Removed: []string{"training"}}, &exports.RightsChange{}},
		{&exports.Checkpoint{BuyerID: "byr_1", Snapshot: "snp_1", Sequence: 4, Cursor: "c.4", Complete: true, HeldItems: 5, Root: "r", At: at, KeyID: "k", Signature: "s"}, &exports.Checkpoint{}},
		{&exports.Withheld{Type: "withheld", ItemID: "itm_1", Reason: "grant_expired", Cursor: "c"}, &exports.Withheld{}},
		{&exports.FeedEnd{Count: 3, NextCursor: "n"}, &exports.FeedEnd{}},
		{&exports.NewSnapshot{Label: "l", Sources: []string{"site-a"}, Topic: "t", Uses: []string{"rag"}, Days: 3}, &exports.NewSnapshot{}},
	} {
		text := wire.Append(nil, pair[0])
		if err := wire.Decode(text, pair[1], wire.Trusted); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if again := wire.Append(nil, pair[1]); string(again) != string(text) {
			t.Errorf("%s became %s", text, again)
		}
	}
}

func TestLicensedURI(t *testing.T) {
	for uri, ok := range map[string]bool{"licensed://site-a/ent_1": true, "licensed://site-a/": false, "licensed:///ent_1": false, "licensed://site-a": false, "licensed://Site/ent_1": false,
		"https://site-a/ent_1": false, "licensed://site-a/ent_1/x": false, "licensed://site-a/../x": false, "": false} {
		site, entry, got := exports.ParseLicensedURI(uri)
		if got != ok || ok && exports.LicensedURI(site, entry) != uri {
			t.Errorf("%q: %v", uri, got)
		}
	}
}
