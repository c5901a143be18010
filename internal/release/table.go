package release

import (
	"bytes"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Entry is a row of the table of entries, which is sorted by URLSHA256 and
// EntryOwn. An entry id is "ent_", the first 12 hex digits of URLSHA256, and
// EntryOwn in hex; EntryID is set only for an id that differs from that.
type Entry struct {
	URLSHA256     [32]byte `parquet:"url_sha256"` // lookup key of the URL: SHA-256("service.lookup.v1" LF "url" LF url)
	EntryOwn      [6]byte  `parquet:"entry_own"`
	EntryID       string   `parquet:"entry_id,optional"`
	URL           string   `parquet:"url"`               // canonical under service.url-key.v1
	Portable      []byte   `parquet:"portable,optional"` // SHA-256 of the canonical text
	ISCC          []byte   `parquet:"iscc,optional"`     // body of the Text-Code, 32 bytes
	Site          string   `parquet:"site,dict"`
	Title         string   `parquet:"title"`
	Language      string   `parquet:"language,dict"`
	ContentFormat string   `parquet:"content_format,dict"`
	PublishedAt   int64    `parquet:"published_at,optional,timestamp"` // milliseconds; 0: none
	ModifiedAt    int64    `parquet:"modified_at,optional,timestamp"`
	RightsVector  string   `parquet:"rights_vector,dict"`
	RecordVersion int32    `parquet:"record_version,dict"`
	LedgerIndex   int64    `parquet:"ledger_index"` // -1: not logged
}

// Publisher is a row of the table of publishers, which is sorted by site.
type Publisher struct {
	Site             string `parquet:"site"`
	PublisherID      string `parquet:"publisher_id"`
	Name             string `parquet:"name"`
	SiteURL          string `parquet:"site_url"`
	HumanPage        string `parquet:"human_page,optional"`
	AcceptsInquiries bool   `parquet:"accepts_inquiries"`
	RegisteredPages  int64  `parquet:"registered_pages"`
	RightsVector     string `parquet:"rights_vector"`
	RightsAsOf       string `parquet:"rights_as_of"`
	PolicyDigest     string `parquet:"policy_digest,optional"`
	PolicyVersion    int64  `parquet:"policy_version,optional"`
}

// Right is a row of the table of rights, which is sorted by site, path pattern
// and use. It holds the verdict for a page that matches the pattern, unless the
// page matches a longer pattern too. The verdict of a registered page is in its
// rights vector.
type Right struct {
	Site        string   `parquet:"site,dict"`
	PathPattern string   `parquet:"path_pattern"` // RFC 9309; "" is the home page
	Use         string   `parquet:"use,dict"`
	Audience    string   `parquet:"audience,dict"` // "" means everybody
	Verdict     string   `parquet:"verdict,dict"`
	Reason      string   `parquet:"reason,dict"`
	JudgedAt    string   `parquet:"judged_at,dict"`
	Evidence    []string `parquet:"evidence,list"` // addresses of the statements that the verdict rests on
}

// Offer is a row of the table of offers, which is sorted by licence id.
type Offer struct {
	LicenseID   string   `parquet:"license_id"`
	Site        string   `parquet:"site,dict"`
	Kind        string   `parquet:"kind,dict"`
	Status      string   `parquet:"status,dict"`
	Title       string   `parquet:"title"`
	Permits     []string `parquet:"permits,list"`
	Prohibits   []string `parquet:"prohibits,list"`
	UserTypes   []string `parquet:"user_types,list"`
	Territories []string `parquet:"territories,list"`
	ValidFrom   string   `parquet:"valid_from"`
	ValidUntil  string   `parquet:"valid_until,optional"`
	Digest      string   `parquet:"record_digest"`
}

// Host is a row of the table of hosts, which is sorted by host and site.
type Host struct {
	Host  string `parquet:"host"`
	Site  string `parquet:"site"`
	Basis string `parquet:"basis"` // site_url: the home page is on it; associated: control of it was proved
}

// Reservation is a row of the table of reservations, which is sorted by id.
type Reservation struct {
	ReservationID string   `parquet:"reservation_id"`
	Site          string   `parquet:"site,dict"` // of the publisher that vouches for it
	Author        string   `parquet:"author,optional"`
	CodeKind      string   `parquet:"code_kind,dict"` // portable, iscc
	Code          string   `parquet:"code"`
	Uses          []string `parquet:"uses,list"`
	Note          string   `parquet:"note,optional"`
	Since         string   `parquet:"since"`
	SourceURL     string   `parquet:"source_url,optional"`
}

// compression is shared by all tables, because its encoder takes 16 MB.
var compression = &zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}

// Write returns rows as a Parquet table. Rows must be sorted by the given
// columns. Rows with the same values give the same bytes.
func Write[T any](rows []T, columns ...string) ([]byte, error) {
	var b bytes.Buffer
	var order []parquet.SortingColumn
	for _, c := range columns {
		order = append(order, parquet.Ascending(c))
	}
	w := parquet.NewGenericWriter[T](&b,
		parquet.Compression(compression),
		parquet.CreatedBy("colophon", "1", "release"), parquet.MaxRowsPerRowGroup(groupRows),
		parquet.SortingWriterConfig(parquet.SortingColumns(order...)),
	)
	if _, err := w.Write(rows); err != nil {
		return nil, fmt.Errorf("cannot write a table: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("cannot write a table: %w", err)
	}
	return b.Bytes(), nil
}

// Read reads the rows of a table in batches and passes them to do, which must
// not keep them. It does not read columns that T lacks. It returns do's error
// or ErrDamaged.
func Read[T any](in io.ReaderAt, size int64, do func(rows []T) error) (err error) {
	defer recoverDamage(&err)
	f, err := parquet.OpenFile(in, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	r := parquet.NewGenericReader[T](f)
	defer r.Close()
	batch := make([]T, 1024)
	for {
		n, err := r.Read(batch)
		if n > 0 {
			if err := do(batch[:n]); err != nil {
				return err
			}
			clear(batch)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
	}
}

// recoverDamage turns a panic into ErrDamaged: the Parquet library panics for
// some damaged files.
func recoverDamage(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", ErrDamaged, r)
	}
}
