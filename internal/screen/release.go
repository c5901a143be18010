package screen

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"colophon/exports"
	"colophon/internal/iscc"
	provrecord "colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// Files reads published files of a registry.
type Files interface {
	// Read returns a whole file, or fs.ErrNotExist if there is none.
	Read(ctx context.Context, name string) ([]byte, error)
	// Open returns a file that a release lists, for reading parts of it. A local
	// one is verified first.
	Open(ctx context.Context, f release.File) (io.ReaderAt, error)
}

// Release is a release in which a screening looks things up. It is safe for
// concurrent use.
type Release struct {
	Catalog exports.Release
	BaseURL string

	entries  []entry
	sites    []site
	known    map[string]bool     // hosts, without "www.", about which anything is known
	hosts    map[string][]uint32 // sites whose pages these are, by their exact hosts
	text     []byte              // URLs of the entries, one after the other
	urls     table
	texts    table
	near     *nearIndex
	reserved reservations
	private  *privately // nil: look-ups are made in the tables
	files    Files
	at       string
}

// entry is a registered page; the release has what else is known about it.
type entry struct {
	id        [24]byte  // hex digits
	url       [2]uint32 // where it begins and ends in the text of the release
	site      uint32
	format    uint8 // of exports.ContentFormats, from 1
	withdrawn bool
	published int64 // milliseconds, 0 none
}

func (e *entry) entryID() string { return "ent_" + string(e.id[:]) }

type site struct {
	id, name string

	once  sync.Once
	judge *rights.Judge
	err   error
}

// entryRow are the columns of entries that are read.
type entryRow struct {
	URLSHA256     [32]byte `parquet:"url_sha256"`
	EntryOwn      [6]byte  `parquet:"entry_own"`
	EntryID       string   `parquet:"entry_id,optional"`
	URL           string   `parquet:"url"`
	Portable      []byte   `parquet:"portable,optional"`
	ISCC          []byte   `parquet:"iscc,optional"`
	Site          string   `parquet:"site,dict"`
	ContentFormat string   `parquet:"content_format,dict"`
	PublishedAt   int64    `parquet:"published_at,optional,timestamp"`
	RightsVector  string   `parquet:"rights_vector,dict"`
}

// ErrNoTables says that a release is published and its tables are not yet, as these
// follow it.
var ErrNoTables = errors.New("the tables of the release are not published yet: try again later")

// Open reads a release and verifies its signature. keys are those that may sign
// it; nil uses those that the registry publishes. Verdicts are as of the
// instant at (RFC 3339).
func Open(ctx context.Context, files Files, keys *provrecord.KeySet, at string) (*Release, error) {
	r, _, tables, err := openList(ctx, files, keys, at)
	if err != nil {
		return nil, err
	}
	return r, r.load(ctx, tables)
}

// openList reads and verifies the list of a release, and finds its tables.
func openList(ctx context.Context, files Files, keys *provrecord.KeySet, at string) (*Release, *release.List, []release.File, error) {
	if keys == nil {
		doc, err := files.Read(ctx, string(exports.KeyOf(exports.WellKnownKeys)))
		if err != nil {
			return nil, nil, nil, fmt.Errorf("cannot read the keys of the registry: %w", err)
		}
		set, err := provrecord.ParseKeySet(doc)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("the keys of the registry are not valid: %w", err)
		}
		keys = &set
	}
	data, err := files.Read(ctx, release.ListKey)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil, fmt.Errorf("there is no release here: %w", err)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	list, err := release.ParseList(data, *keys)
	if err != nil {
		return nil, nil, nil, err
	}
	if list.Tables != list.Catalog.Root {
		return nil, nil, nil, fmt.Errorf("%w: release %s", ErrNoTables, list.Catalog.Name)
	}
	all, err := readTiles(ctx, files, list)
	if err != nil {
		return nil, nil, nil, err
	}
	r := &Release{Catalog: list.Catalog, BaseURL: list.BaseURL, files: files, at: at, hosts: map[string][]uint32{}, known: map[string]bool{}}
	return r, list, all, nil
}

// readTiles reads the tiles of a list and verifies them.
func readTiles(ctx context.Context, files Files, list *release.List) (all []release.File, err error) {
	for i := range list.Tiles {
		t := &list.Tiles[i]
		text, err := files.Read(ctx, t.Name)
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(text); fmt.Sprintf("%x", sum) != t.SHA256 {
			return nil, fmt.Errorf("%w: %s", release.ErrDamaged, t.Name)
		}
		part, err := release.ParseFiles(text)
		if err != nil {
			return nil, err
		}
		for _, f := range part {
			if release.IsTable(f.Name) {
				all = append(all, f)
			}
		}
	}
	return all, nil
}

// loading collects the keys of a release.
type loading struct {
	*Release
	siteOf      map[string]uint32
	strict, sum []keyed
	codes       []iscc.Code
	codeRows    []uint32

	reservedCodes []iscc.Code
	reservedRows  []uint32
}

func (r *Release) load(ctx context.Context, tables []release.File) error {
	l := &loading{Release: r, siteOf: map[string]uint32{}}
	if err := l.addParties(ctx, tables); err != nil {
		return err
	}
	for _, t := range tables {
		var err error
		switch {
		case t.Name == release.HostsKey:
			err = readTable(ctx, r.files, t, l.addHosts)
		case strings.HasPrefix(t.Name, release.Folder+"entries/"):
			err = readTable(ctx, r.files, t, l.addEntries)
		}
		if err != nil {
			return err
		}
	}
	r.urls = newTable(l.strict)
	r.texts = newTable(l.sum)
	r.near = newNearIndex(l.codes, l.codeRows)
	return nil
}

// addParties reads the publishers, and the reservations for which they vouch.
func (l *loading) addParties(ctx context.Context, tables []release.File) error {
	l.reserved.byCode = map[string][]uint32{}
	for _, t := range tables {
		if t.Name == release.PublishersKey {
			if err := readTable(ctx, l.files, t, l.addPublishers); err != nil {
				return err
			}
		}
	}
	for _, t := range tables {
		if t.Name == release.ReservationsKey {
			if err := readTable(ctx, l.files, t, l.addReservations); err != nil {
				return err
			}
		}
	}
	if len(l.reservedCodes) > 0 || l.reserved.short {
		l.reserved.near = newNearIndex(l.reservedCodes, l.reservedRows)
	}
	return nil
}

// readTable reads a table.
func readTable[T any](ctx context.Context, files Files, f release.File, do func([]T) error) error {
	in, err := files.Open(ctx, f)
	if err != nil {
		return err
	}
	return release.Read(in, f.Size, do)
}

func (l *loading) addPublishers(rows []release.Publisher) error {
	for i := range rows {
		l.siteOf[rows[i].Site] = uint32(len(l.sites))
		l.sites = append(l.sites, site{id: rows[i].Site, name: rows[i].Name})
	}
	return nil
}

func (l *loading) addHosts(rows []release.Host) error {
	for i := range rows {
		n, known := l.siteOf[rows[i].Site]
		host := rows[i].Host
		if !known || rows[i].Basis != "associated" || slices.Contains(l.hosts[host], n) {
			continue
		}
		l.hosts[host] = append(l.hosts[host], n)
		l.known[string(trimWWW([]byte(host)))] = true
	}
	return nil
}

func (l *loading) addEntries(rows []entryRow) error {
	for i := range rows {
		if err := l.addEntry(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *loading) addEntry(row *entryRow) error {
	n, known := l.siteOf[row.Site]
	if !known {
		return fmt.Errorf("%w: an entry of an unknown publisher %q", release.ErrDamaged, row.Site)
	}
	e := entry{site: n, published: row.PublishedAt, withdrawn: row.RightsVector == rights.AllWithdrawn}
	digits := fmt.Sprintf("%x%x", row.URLSHA256[:6], row.EntryOwn)
	if row.EntryID != "" {
		digits = strings.TrimPrefix(row.EntryID, "ent_")
	}
	copy(e.id[:], digits)
	for i, f := range exports.ContentFormats {
		if f == row.ContentFormat {
			e.format = uint8(i + 1)
		}
	}
	at := uint32(len(l.entries))
	e.url[0] = uint32(len(l.text))
	l.text = append(l.text, row.URL...)
	e.url[1] = uint32(len(l.text))
	l.entries = append(l.entries, e)
	l.strict = append(l.strict, keyed{key(row.URLSHA256[:]), at})
	host, _ := hostOf(nil, row.URL)
	l.known[string(host)] = true
	if len(row.Portable) == 32 {
		l.sum = append(l.sum, keyed{key(row.Portable), at})
	}
	if len(row.ISCC) == len(iscc.Code{}) {
		l.codes = append(l.codes, iscc.Code(row.ISCC))
		l.codeRows = append(l.codeRows, at)
	}
	return nil
}

// urlOf returns the canonical URL of an entry.
func (r *Release) urlOf(row uint32) string {
	at := r.entries[row].url
	return string(r.text[at[0]:at[1]])
}

// resource returns an entry as a question is about it.
func (r *Release) resource(row uint32) rights.Resource {
	e := &r.entries[row]
	about := rights.Resource{EntryID: e.entryID(), URL: r.urlOf(row)}
	if e.format > 0 {
		about.ContentFormat = exports.ContentFormats[e.format-1]
	}
	if e.published != 0 {
		about.PublishedAt = exports.Instant(time.UnixMilli(e.published))
	}
	if e.withdrawn {
		about.State = rights.EntryWithdrawn
	}
	return about
}

// judgeOf reads what bears on the rights of a site.
func (r *Release) judgeOf(ctx context.Context, n uint32) (*rights.Judge, error) {
	s := &r.sites[n]
	s.once.Do(func() {
		data, err := r.files.Read(ctx, string(exports.RightsDocumentKey(s.id)))
		if err != nil {
			s.err = fmt.Errorf("cannot read the rights of %q: %w", s.id, err)
			return
		}
		doc := &rights.RightsDocument{}
		if s.err = wire.Decode(data, doc, wire.Trusted); s.err == nil {
			s.judge = rights.NewJudge(doc, r.at)
		}
	})
	return s.judge, s.err
}
