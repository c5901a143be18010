package record_test

import (
	"encoding/hex"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
	"colophon/internal/record"
	"colophon/internal/wire"
)

func TestLeafVectors(t *testing.T) {
	v := loadVectors(t)
	for _, c := range v.Records {
		t.Run(c.Name, func(t *testing.T) {
			leaf, err := record.LeafOf(parse(t, c.RecordJCS))
			if got := string(wire.Append(nil, &leaf)); err != nil || got != c.LeafJCS {
				t.Fatalf("leaf\n got %s, %v\nwant %s", got, err, c.LeafJCS)
			}
			if h := tlog.RecordHash([]byte(c.LeafJCS)); hex.EncodeToString(h[:]) != c.LeafHash {
				t.Errorf("leaf hash %x, want %s", h, c.LeafHash)
			}
			var read record.RecordLeaf
			if err := wire.Decode([]byte(c.LeafJCS), &read, wire.Default); err != nil || read != leaf {
				t.Errorf("read back as %+v, %v", read, err)
			}
		})
	}
	if _, err := record.LeafOf(wire.Object()); err != outcome.RecordMalformed {
		t.Errorf("the leaf of no record: %v", err)
	}
}

func TestOtherLeaves(t *testing.T) {
	v := loadVectors(t)
	keys := v.keySet(t).Keys()
	revoked, added := record.KeyLeafOf(keys[0]), record.KeyLeafOf(keys[1])
	index := record.IndexLeaf{ManifestSHA256: "ab", Bits: 8, Entries: 10000, LedgerSize: 9}
	policy := record.PolicyLeaf{SiteID: "site", Version: 7, PolicySHA256: "cd", EffectiveFrom: "2026-09-01T00:00:00Z"}
	for _, c := range []struct {
		leaf, fresh wire.Record
		want        string
	}{
		{&revoked, &record.KeyLeaf{}, `{"exp":1795219200,"kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","leaf":"service.key-leaf.v1","nbf":1767225600,"op":"revoke","trusted_tree_size":3}`},
		{&added, &record.KeyLeaf{}, `{"exp":1826668800,"kid":"FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk","leaf":"service.key-leaf.v1","nbf":1795132800,"op":"add"}`},
		{&index, &record.IndexLeaf{}, `{"bits":8,"entries":10000,"leaf":"service.index-leaf.v1","ledger_size":9,"manifest_sha256":"ab"}`},
		{&policy, &record.PolicyLeaf{}, `{"effective_from":"2026-09-01T00:00:00Z","leaf":"service.policy-leaf.v1","policy_sha256":"cd","policy_version":7,"site_id":"site"}`},
	} {
		if got := string(wire.Append(nil, c.leaf)); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
		if err := wire.Decode([]byte(c.want), c.fresh, wire.Default); err != nil || string(wire.Append(nil, c.fresh)) != c.want {
			t.Errorf("%s is not read back: %v", c.want, err)
		}
	}
}
