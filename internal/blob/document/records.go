package document

import (
	"bytes"
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/blob/entryfacts"
)

// The list of a publisher's records may stand in packs with the ids of entries
// in place of their records, which are rendered from facts when it is read.

// dataMember begins the items of a list.
const dataMember = `"data":[`

// FillList returns the JSON of a list, which has no items, with these items.
func FillList(list []byte, items []string) []byte {
	head, tail, _ := bytes.Cut(list, []byte(dataMember))
	size := len(list) + len(items)
	for _, item := range items {
		size += len(item)
	}
	out := append(append(make([]byte, 0, size), head...), dataMember...)
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, tail...)
}

// FileText returns a file whose value in packs is data. It differs from data
// only for a list of records that names entries. It returns blob.ErrDamaged if
// one of these has no record.
func FileText(ctx context.Context, r *blob.Reader, name string, data []byte) ([]byte, error) {
	siteID, ok := siteOfRecords(name)
	head, rest, found := bytes.Cut(data, []byte(dataMember))
	if !ok || !found || len(rest) == 0 || rest[0] != '"' {
		return data, nil
	}
	ids, tail, whole := bytes.Cut(rest, []byte("]"))
	if !whole {
		return nil, blob.ErrDamaged
	}
	held := &blob.Reader{Root: r.Root, Source: heldSource{r.Source, map[blob.ID][]byte{}}}
	var records []string
	for id := range strings.SplitSeq(string(ids), ",") {
		id = strings.Trim(id, `"`)
		packed, err := held.Find(ctx, FactsKey(siteID, id))
		if err != nil {
			return nil, err
		}
		facts, err := entryfacts.Parse(id, packed)
		if err != nil {
			return nil, blob.ErrDamaged
		}
		record := facts.Spell(entryfacts.DocRecord, 0)
		if record == nil {
			return nil, blob.ErrDamaged
		}
		records = append(records, string(record))
	}
	return FillList(append(append(head[:len(head):len(head)], dataMember+"]"...), tail...), records), nil
}

// siteOfRecords returns the publisher whose records a file lists.
func siteOfRecords(name string) (siteID string, ok bool) {
	rest, isOfSite := strings.CutPrefix(name, "v1/public/sites/")
	siteID, _, _ = strings.Cut(rest, "/")
	return siteID, isOfSite && exports.KeyOf(exports.SiteRecordsPath(siteID)) == exports.Key(name)
}

// heldSource keeps what it has read, since neighbours share pages and blobs.
type heldSource struct {
	blob.Source
	blobs map[blob.ID][]byte
}

func (s heldSource) ReadBlob(ctx context.Context, at blob.Location) ([]byte, error) {
	if data, ok := s.blobs[at.Digest]; ok {
		return data, nil
	}
	data, err := s.Source.ReadBlob(ctx, at)
	if err == nil {
		s.blobs[at.Digest] = data
	}
	return data, err
}
