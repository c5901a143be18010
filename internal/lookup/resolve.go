package lookup

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
	"colophon/internal/withdrawn"
)

// Resolver answers lookups from published files.
type Resolver struct{ files *staticindex.Files }

// New returns a resolver over published files.
func New(files *staticindex.Files) *Resolver { return &Resolver{files} }

// Query is a question to the resolver; exactly one member is set. An ISCC finds
// reservations for content with that code, and no entries.
type Query struct{ URL, Fingerprint, EntryID, ISCC string }

// Found is the result of a lookup: all candidates, none if nothing is
// registered, and how fresh the file was that says so.
type Found struct {
	Key, Value, Normalized string
	Candidates             []exports.Candidate
	Reservations           []exports.Reservation // for the content with a fingerprint or an ISCC
	LedgerSize             int64
	BuiltAt                string

	gen     *staticindex.Generation // the generation that is read
	buckets map[exports.Key]*Bucket // that were read
}

// Resolve looks a source up by its address, a fingerprint (portable or
// registry) or an entry id, and returns every match, with the reservations for
// the content of a fingerprint. It returns no_match if there is none. It reads one file, and for a fingerprint at most MaxReferences
// more.
func (c *Resolver) Resolve(ctx context.Context, l Query) (*exports.Resolution, error) {
	f, err := c.Find(ctx, l)
	if err != nil {
		return nil, err
	}
	out := &exports.Resolution{Key: f.Key, Value: f.Value, Normalized: f.Normalized, Candidates: f.Candidates, Reservations: f.Reservations}
	switch {
	case len(f.Candidates) > 0:
		out.Basis = f.Candidates[0].Basis
	case len(f.Reservations) > 0:
		out.Basis = exports.BasisContent
	default:
		return nil, NoMatch(f.Key)
	}
	return out, nil
}

// NoMatch returns the error for a key with which nothing is registered.
func NoMatch(key string) error {
	return &staticindex.Error{Code: "no_match", Param: key, Detail: "Nothing registered matches; that says nothing about rights."}
}

// Find is Resolve for callers for whom no match is a valid answer. An entry
// withdrawn since the release is returned as withdrawn.
func (c *Resolver) Find(ctx context.Context, l Query) (*Found, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*Found, error) { return c.find(ctx, l) })
}

func (c *Resolver) find(ctx context.Context, l Query) (*Found, error) {
	f, err := l.parseKey()
	if err != nil {
		return nil, err
	}
	g, err := c.files.Current(ctx)
	if err != nil {
		return nil, err
	}
	f.gen, f.LedgerSize, f.BuiltAt = g, g.LedgerSize, g.Release.GeneratedAt
	switch f.Key {
	case "url":
		err = c.lookupURL(ctx, f)
	case "entry_id":
		own := urlkey.LookupKey(urlkey.LookupEntry, f.Normalized)
		err = c.lookupKey(ctx, f, EntryKey(f.Normalized, own), TagURL, TagEntry)
	case "iscc":
		err = c.lookupReservations(ctx, f)
	default:
		if err = c.lookupDigest(ctx, f); err == nil {
			err = c.lookupReservations(ctx, f)
		}
	}
	if err != nil {
		return nil, err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	f.Reservations = slices.DeleteFunc(f.Reservations, func(r exports.Reservation) bool { return gone.HasReservation(r.ReservationID, r.SiteID) })
	for i := range f.Candidates {
		x := &f.Candidates[i]
		x.RightsAsOf = g.Release.GeneratedAt
		if gone.HasEntry(x.EntryID) {
			x.Withdrawn, x.RightsVector = true, rights.AllWithdrawn
		}
	}
	return f, err
}

// Entries finds registered entries by id in a generation; those that it does not
// find are missing from the result. An entry withdrawn since the release is
// returned as withdrawn.
func (c *Resolver) Entries(ctx context.Context, g *staticindex.Generation, ids []string) (map[string]exports.Candidate, error) {
	keys := make([][32]byte, len(ids))
	for i, id := range ids {
		keys[i] = EntryKey(id, urlkey.LookupKey(urlkey.LookupEntry, id))
	}
	f := &Found{gen: g}
	if err := c.loadBuckets(ctx, f, LookupPrimary, keys...); err != nil {
		return nil, err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	if err != nil {
		return nil, err
	}
	known := map[string]exports.Candidate{}
	for i, id := range ids {
		bucket, name := f.bucketOf(LookupPrimary, keys[i])
		found, err := bucket.Find(id, TagURL, TagEntry)
		if err != nil {
			return nil, staticindex.OutageError(string(name), err)
		}
		for _, x := range found {
			if x.EntryID == id {
				x.Withdrawn = x.Withdrawn || gone.HasEntry(id)
				known[id] = x
			}
		}
	}
	return known, nil
}

// parseKey determines which key was given, and normalizes it.
func (l *Query) parseKey() (*Found, error) {
	f := &Found{}
	for _, k := range [][2]string{{"url", l.URL}, {"fingerprint", l.Fingerprint}, {"entry_id", l.EntryID}, {"iscc", l.ISCC}} {
		if k[1] == "" {
			continue
		}
		if f.Key != "" {
			return nil, &staticindex.Error{Code: "lookup_key_required", Param: k[0], Detail: "Give exactly one of url, fingerprint and entry_id."}
		}
		f.Key, f.Value = k[0], k[1]
	}
	switch f.Key {
	case "":
		return nil, &staticindex.Error{Code: "lookup_key_required", Detail: "Give exactly one of url, fingerprint and entry_id."}
	case "url":
		url, err := urlkey.Address(f.Value)
		if err != nil {
			return nil, staticindex.InvalidParam("url", "cannot be used: "+err.Error())
		}
		f.Normalized = url
	case "entry_id":
		if !exports.ValidEntryID(f.Value) {
			return nil, staticindex.InvalidParam("entry_id", "is not an entry id")
		}
		f.Normalized = f.Value
	case "fingerprint":
		f.Normalized = strings.ToLower(f.Value)
		if sum, ok := staticindex.DecodeHex(f.Normalized); !ok || len(sum) != 32 {
			return nil, staticindex.InvalidParam("fingerprint", "must be 64 hex digits")
		}
	case "iscc":
		code, err := iscc.Normalize(f.Value)
		if err != nil {
			return nil, staticindex.InvalidParam("iscc", "is not an ISCC of ISO 24138")
		}
		f.Normalized = code
	}
	return f, nil
}

// lookupURL looks an address up and, if nothing is registered under it, the
// others under which the same page may be registered.
func (c *Resolver) lookupURL(ctx context.Context, f *Found) error {
	err := c.lookupKey(ctx, f, urlkey.LookupKey(urlkey.LookupURL, f.Normalized), TagURL)
	if err != nil || len(f.Candidates) > 0 {
		return err
	}
	others := urlkey.SamePage(f.Normalized)
	keys := make([][32]byte, len(others))
	for i, other := range others {
		keys[i] = urlkey.LookupKey(urlkey.LookupURL, other)
	}
	if err := c.loadBuckets(ctx, f, LookupPrimary, keys...); err != nil {
		return err
	}
	for i, other := range others {
		bucket, name := f.bucketOf(LookupPrimary, keys[i])
		if err := f.findInBucket(bucket, name, other, TagURL); err != nil {
			return err
		}
	}
	for i := range f.Candidates {
		f.Candidates[i].Basis = exports.BasisSamePage
	}
	return nil
}

// lookupKey reads the bucket of a key and keeps the candidates that have exactly the
// value.
func (c *Resolver) lookupKey(ctx context.Context, f *Found, key [32]byte, tags ...string) error {
	bucket, name, err := c.readBucket(ctx, f, LookupPrimary, key)
	if err != nil {
		return err
	}
	return f.findInBucket(bucket, name, f.Normalized, tags...)
}

// findInBucket keeps the candidates of a bucket that have exactly the value.
func (f *Found) findInBucket(k *Bucket, name exports.Key, value string, tags ...string) error {
	found, err := k.Find(value, tags...)
	if err != nil {
		return staticindex.OutageError(string(name), err)
	}
	for i := range found {
		f.keepCandidate(&found[i])
	}
	return nil
}

// lookupDigest is lookupKey for a fingerprint, whose bucket refers to most entries.
func (c *Resolver) lookupDigest(ctx context.Context, f *Found) error {
	bucket, name, err := c.readBucket(ctx, f, LookupFingerprint, urlkey.LookupKey(urlkey.LookupFingerprint, f.Normalized))
	if err != nil {
		return err
	}
	if err := f.findInBucket(bucket, name, f.Normalized, TagPortable, TagRegistry); err != nil {
		return err
	}
	refs, err := bucket.References(f.Normalized)
	if err != nil {
		return staticindex.OutageError(string(name), err)
	}
	for _, r := range refs {
		if containsEntry(f.Candidates, r.EntryID) {
			continue
		}
		x, err := c.readReferred(ctx, f, r)
		if err != nil {
			return err
		}
		f.keepCandidate(&x)
	}
	return nil
}

// readReferred reads the facts of an entry that a digest refers to. Not to find it, or
// to find it with another digest, is an outage.
func (c *Resolver) readReferred(ctx context.Context, f *Found, r Reference) (exports.Candidate, error) {
	bucket, name, err := c.readBucket(ctx, f, LookupPrimary, EntryKey(r.EntryID, urlkey.LookupKey(urlkey.LookupEntry, r.EntryID)))
	if err != nil {
		return exports.Candidate{}, err
	}
	found, err := bucket.Find(r.EntryID, TagURL, TagEntry)
	if err != nil {
		return exports.Candidate{}, staticindex.OutageError(string(name), err)
	}
	for _, x := range found {
		switch {
		case x.EntryID != r.EntryID:
		case r.Tag == TagPortableOf && x.Portable == f.Normalized:
			x.Basis = exports.BasisPortable
			return x, nil
		case r.Tag == TagRegistryOf && x.Registry == f.Normalized:
			x.Basis = exports.BasisRegistry
			return x, nil
		}
	}
	return exports.Candidate{}, staticindex.OutageError(string(name), staticindex.ErrMalformed)
}

// readBucket reads the bucket of a key, unless this lookup has read it already,
// and returns its name.
func (c *Resolver) readBucket(ctx context.Context, f *Found, kind string, key [32]byte) (*Bucket, exports.Key, error) {
	if err := c.loadBuckets(ctx, f, kind, key); err != nil {
		return nil, "", err
	}
	bucket, name := f.bucketOf(kind, key)
	return bucket, name, nil
}

// bitsOf is by how many bits of the key the buckets of a kind are cut.
func (f *Found) bitsOf(kind string) int {
	if kind == LookupPrimary {
		return int(f.gen.PBits)
	}
	return int(f.gen.FBits)
}

// bucketOf returns the bucket of a key, which was loaded, and its name.
func (f *Found) bucketOf(kind string, key [32]byte) (*Bucket, exports.Key) {
	name := BucketKey(f.gen.Gen, kind, urlkey.Part(key[:], f.bitsOf(kind)))
	return f.buckets[name], name
}

// loadBuckets reads the buckets of keys that this look-up did not read before, all at
// once.
func (c *Resolver) loadBuckets(ctx context.Context, f *Found, kind string, keys ...[32]byte) error {
	if f.buckets == nil {
		f.buckets = map[exports.Key]*Bucket{}
	}
	bits := f.bitsOf(kind)
	var missing []exports.Key
	var numbers []int
	for _, key := range keys {
		number := urlkey.Part(key[:], bits)
		name := BucketKey(f.gen.Gen, kind, number)
		if _, known := f.buckets[name]; !known {
			f.buckets[name] = nil
			missing, numbers = append(missing, name), append(numbers, number)
		}
	}
	files, err := c.files.ReadAll(ctx, missing)
	if err != nil {
		return err
	}
	for i, name := range missing {
		if f.buckets[name], err = DecodeBucket(files[i], kind, bits, numbers[i]); err != nil {
			return staticindex.OutageError(string(name), err)
		}
	}
	return nil
}

// keepCandidate adds a candidate, each entry once.
func (f *Found) keepCandidate(x *exports.Candidate) {
	if !containsEntry(f.Candidates, x.EntryID) {
		f.Candidates = append(f.Candidates, *x)
	}
}

func containsEntry(list []exports.Candidate, entryID string) bool {
	for i := range list {
		if list[i].EntryID == entryID {
			return true
		}
	}
	return false
}
