package indexbuild_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/indexbuild"
	"colophon/internal/staticindex"
)

// ledgerOf returns a source of n ledger entries, newest first.
func ledgerOf(n int) indexbuild.Source {
	digest := func(kind string, i int) string {
		sum := sha256.Sum256(fmt.Append(nil, kind, i))
		return hex.EncodeToString(sum[:])
	}
	return indexbuild.Source{
		Release: exports.Release{Name: "2026-01-01.1", GeneratedAt: "2026-01-01T00:00:00Z"},
		Ledger: func(yield func(exports.LedgerRow, error) bool) {
			for i := n - 1; i >= 0; i-- {
				row := exports.LedgerRow{
					Index: int64(i), Event: exports.LedgerRegistered, EntryID: "ent_" + digest("entry", i)[:24], SiteID: "tides", Publisher: "Tides",
					Title: "Page " + strconv.Itoa(i), RecordDigest: digest("record", i), Portable: digest("text", i), At: "2026-01-01T00:00:00Z",
				}
				if !yield(row, nil) {
					return
				}
			}
		},
	}
}

// TestLedgerIsFound checks that lists of the ledger begin with the newest leaf, and
// that a digest finds its leaf.
func TestLedgerIsFound(t *testing.T) {
	const entries = 4000
	files := catalogtest.Files{}
	catalogtest.Build(t, files, ledgerOf(entries))
	c := catalog.New(files, time.Now)
	list, err := c.LedgerSearch(t.Context(), staticindex.Ask{Limit: "100", Offset: "60"})
	if err != nil || len(list.Data) != 100 || list.Data[0].Index != entries-61 || list.Data[99].Index != entries-160 {
		t.Errorf("the newest are not first: %v", err)
	}
	wanted := list.Data[70]
	found, err := c.LedgerSearch(t.Context(), staticindex.Ask{Q: wanted.RecordDigest})
	if err != nil || len(found.Data) != 1 || found.Data[0].Index != wanted.Index {
		t.Errorf("a digest finds %d entries, %v", len(found.Data), err)
	}
}

// TestLedgerNamesGeneration checks that another ledger makes another generation
// even if all other records are the same, since the files of a generation never
// change.
func TestLedgerNamesGeneration(t *testing.T) {
	nameOf := func(entries int) string {
		x := catalogtest.Build(t, catalogtest.Files{}, ledgerOf(entries))
		return x.Current.Gen
	}
	if one, two := nameOf(3), nameOf(4); one == two {
		t.Errorf("ledgers of three and of four entries are both the generation %s", one)
	}
	if one, again := nameOf(3), nameOf(3); one != again {
		t.Errorf("the same ledger is the generations %s and %s", one, again)
	}
}
