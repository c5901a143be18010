package generator

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"colophon/exports"
	"colophon/generator/index"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// writeIndex builds the static index, from which search, paging and lookups
// are answered. The files of earlier generations stay for a while, so that a
// walk by cursor ends as it began.
func (b *build) writeIndex(ctx context.Context) error {
	opt := index.Options{Put: b.putIndex}
	if b.before != nil {
		opt.Earlier = append([]exports.Generation{b.before.Current}, b.before.Earlier...)
	}
	x, _, err := index.Build(ctx, b.source(ctx), opt)
	if err != nil {
		return err
	}
	b.index = x.Current
	for i := range x.Earlier {
		if err := b.out.keep(exports.ShardPrefix(x.Earlier[i].Gen)); err != nil {
			return err
		}
	}
	if err := b.out.put(exports.IndexKey, wire.Append(nil, &x)); err != nil || b.opt.Ledger == nil {
		return err
	}
	return b.indexManifest(ctx)
}

// putIndex writes the files of the index but for the first, which names the
// generation before too.
func (b *build) putIndex(key exports.Key, data []byte) error {
	if key == exports.IndexKey {
		return nil
	}
	return b.out.put(key, data)
}

// readIndex reads the first file of the index that is published in dir. An
// index that cannot be read is none: all of it is built anew.
func readIndex(dir string) *exports.Index {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(exports.IndexKey))))
	var x exports.Index
	if err != nil || wire.Decode(data, &x, wire.Trusted) != nil {
		return nil
	}
	return &x
}

// source gives the index everything that may be found.
func (b *build) source(ctx context.Context) index.Source {
	return index.Source{
		Release: b.release, LedgerSize: b.log.described(), Entries: b.indexEntries(ctx), Ledger: b.ledgerRows(ctx),
		Publishers: each(b.sites, func(s *siteFacts) (exports.Publisher, bool) { return rights.Publisher(&s.SiteSnapshot, s.tally) }),
		Map:        each(b.sites, func(s *siteFacts) (exports.MapRecord, bool) { return rights.Map(&s.SiteSnapshot, s.tally) }),
		Offers:     each(b.allOffers(), func(o *exports.Offer) (exports.Offer, bool) { return *o, true }),
		Demand:     each(b.demand, func(d *exports.Demand) (exports.Demand, bool) { return *d, true }),
	}
}

// each projects a list into a sequence.
func each[T, R any](list []T, project func(*T) (R, bool)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for i := range list {
			if r, ok := project(&list[i]); ok && !yield(r, nil) {
				return
			}
		}
	}
}

// indexEntries gives every page of every public site, with the record that
// was issued for it last.
func (b *build) indexEntries(ctx context.Context) iter.Seq2[index.Entry, error] {
	return func(yield func(index.Entry, error) bool) {
		for i := range b.sites {
			s, after := &b.sites[i], ""
			stop := false
			err := eachPage(ctx, b.store, s.Site.SiteID, func(pages []origin.Page) error {
				last, err := b.lastRecords(ctx, s.Site.SiteID, pages, after)
				if err != nil || stop {
					return err
				}
				logged, err := b.logged(ctx, s.Site.SiteID, pages, after)
				if err != nil {
					return err
				}
				after = pages[len(pages)-1].EntryID
				for j := range pages {
					r := last[pages[j].EntryID]
					e, ok := indexEntry(&s.SiteSnapshot, &pages[j], r, logged.position(r))
					if ok && !stop {
						stop = !yield(e, nil)
					}
				}
				return nil
			})
			if stop {
				return
			}
			if err != nil {
				yield(index.Entry{}, err)
				return
			}
		}
	}
}

// indexEntry projects a page for the index. A withdrawn page that had a record
// can still be looked up, by which its record is found.
func indexEntry(f *rights.SiteSnapshot, p *origin.Page, last origin.Record, position int64) (index.Entry, bool) {
	record, ok := rights.Lookup(f, p)
	if !ok || p.State != "active" && last.JSON == "" {
		return index.Entry{}, false
	}
	return index.Entry{
		Doc:      exports.Doc{Entry: record.Entry, Publisher: record.Publisher.Name, LicenseIDs: record.LicenseIDs},
		Registry: p.Registry, RecordVersion: last.Version, RecordSHA256: last.SHA256, LedgerIndex: position, Withdrawn: p.State != "active",
	}, true
}

// keep takes the files below a prefix over from the build that is published
// now, without copying them.
func (t *tree) keep(prefix string) error {
	before, err := t.published()
	if err != nil {
		return err
	}
	for name := range before {
		if strings.HasPrefix(name, prefix) {
			if err := t.keepFile(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// published lists the files of the build that is published now.
func (t *tree) published() (map[string]fileNote, error) {
	if t.before != nil {
		return t.before, nil
	}
	data, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(listFile)))
	if errors.Is(err, fs.ErrNotExist) {
		t.before = map[string]fileNote{}
		return t.before, nil
	}
	if err != nil {
		return nil, err
	}
	t.before, err = parseListing(data)
	return t.before, err
}

// keepFile takes one file over.
func (t *tree) keepFile(name string) error {
	note := t.before[name]
	path := filepath.Join(t.stage, filepath.FromSlash(name))
	if err := t.folder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.Link(filepath.Join(t.dir, filepath.FromSlash(name)), path); err != nil {
		return err
	}
	t.list[name] = note
	t.files++
	t.bytes += note.size
	return nil
}
