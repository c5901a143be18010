package delivery

import (
	"encoding/base64"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/exports"
)

// Root computes the RFC 6962 root over a list of items in the order of their
// ids, in memory that grows with the logarithm of their number. The zero Root
// is that of an empty list.
type Root struct {
	size  int64
	peaks []tlog.Hash // of full subtrees, the largest first
	leaf  []byte
}

// Add adds the next item, whose leaf is item_id LF version LF content_sha256.
func (r *Root) Add(itemID string, version int64, digest string) {
	r.leaf = append(append(r.leaf[:0], itemID...), '\n')
	r.leaf = append(strconv.AppendInt(r.leaf, version, 10), '\n')
	r.leaf = append(r.leaf, digest...)
	node := tlog.RecordHash(r.leaf)
	for n := r.size; n&1 == 1; n >>= 1 {
		last := len(r.peaks) - 1
		node = tlog.NodeHash(r.peaks[last], node)
		r.peaks = r.peaks[:last]
	}
	r.peaks = append(r.peaks, node)
	r.size++
}

// addEntry is Add for an entry.
func (r *Root) addEntry(entryID string, version int64, digest string) {
	r.Add(exports.ItemID(entryID), version, digest)
}

// Size returns the number of items.
func (r *Root) Size() int64 { return r.size }

// emptyRoot is SHA-256 of nothing.
const emptyRoot = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

// String returns the root in base64.
func (r *Root) String() string {
	if r.size == 0 {
		return emptyRoot
	}
	node := r.peaks[len(r.peaks)-1]
	for i := len(r.peaks) - 2; i >= 0; i-- {
		node = tlog.NodeHash(r.peaks[i], node)
	}
	return base64.StdEncoding.EncodeToString(node[:])
}
