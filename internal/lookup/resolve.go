package lookup

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
	"colophon/internal/wire/order"
	"colophon/internal/withdrawn"
)

// Resolver answers lookups from published files.
type Resolver struct{ files *staticindex.Files }

// New makes a resolver over published files.
func New(files *staticindex.Files) *Resolver { return &Resolver{files} }

// Lookup asks the resolver; exactly one member is given.
type Lookup struct{ URL, Fingerprint, EntryID string }

// Found is the outcome of a lookup: all candidates, none when nothing is
// registered, and how fresh the file was that says so.
type Found struct {
	Key, Value, Normalized string
	Candidates             []exports.Candidate
	LedgerSize             int64
	BuiltAt                string

	buckets map[exports.Key]*Bucket // that were read
}

// Resolve looks a source up by its address, a fingerprint (portable or
// registry) or an entry id, and returns every match; none is no_match. It
// reads one file of each layer, and for a fingerprint at most MaxReferences more of each.
func (c *Resolver) Resolve(ctx context.Context, l Lookup) (*exports.Resolution, error) {
	f, err := c.Find(ctx, l)
	if err != nil {
		return nil, err
	}
	if len(f.Candidates) == 0 {
		return nil, NoMatch(f.Key)
	}
	return &exports.Resolution{Key: f.Key, Value: f.Value, Normalized: f.Normalized, Basis: f.Candidates[0].Basis, Candidates: f.Candidates}, nil
}

// NoMatch is the answer where nothing registered has a key.
func NoMatch(key string) error {
	return &staticindex.Error{Code: "no_match", Param: key, Detail: "Nothing registered matches; that says nothing about rights."}
}

// Find is Resolve for callers to which no match is an answer. An entry that was withdrawn
// since the release is found as one that is withdrawn.
func (c *Resolver) Find(ctx context.Context, l Lookup) (*Found, error) {
	f, err := l.parseKey()
	if err != nil {
		return nil, err
	}
	g, err := c.files.FindGeneration(ctx, "")
	if err != nil {
		return nil, err
	}
	layers, err := c.openLayers(ctx, g)
	if err != nil {
		return nil, err
	}
	switch f.Key {
	case "url":
		err = c.lookupURL(ctx, layers, f)
	case "entry_id":
		own := urlkey.LookupKey(urlkey.LookupEntry, f.Normalized)
		err = c.lookupKey(ctx, layers, f, EntryKey(f.Normalized, own), TagURL, TagEntry)
	default:
		err = c.lookupDigest(ctx, layers, f)
	}
	if len(layers) > 1 {
		f.orderCandidates()
	}
	if err != nil {
		return nil, err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	for i := range f.Candidates {
		x := &f.Candidates[i]
		x.RightsAsOf = g.Release.GeneratedAt
		if gone.HasEntry(x.EntryID) {
			x.Withdrawn, x.RightsVector = true, rights.AllWithdrawn
		}
	}
	return f, err
}

// orderCandidates puts candidates of several layers in the order of one: those whose
// portable digest is the one asked for first, then by entry id.
func (f *Found) orderCandidates() {
	order.By(f.Candidates, func(a, b *exports.Candidate) int {
		if a.Basis != b.Basis {
			return strings.Compare(a.Basis, b.Basis)
		}
		return strings.Compare(a.EntryID, b.EntryID)
	})
}

// parseKey finds out which key was given, and brings it into its one form.
func (l *Lookup) parseKey() (*Found, error) {
	f := &Found{}
	for _, k := range [][2]string{{"url", l.URL}, {"fingerprint", l.Fingerprint}, {"entry_id", l.EntryID}} {
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
		if !isDigest(f.Normalized) {
			return nil, staticindex.InvalidParam("fingerprint", "must be 64 hex digits")
		}
	}
	return f, nil
}

func isDigest(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// lookupURL looks an address up and, where nothing is registered under it, the
// others under which the same page may be.
func (c *Resolver) lookupURL(ctx context.Context, layers []layer, f *Found) error {
	err := c.lookupKey(ctx, layers, f, urlkey.LookupKey(urlkey.LookupURL, f.Normalized), TagURL, TagAlias)
	if err != nil || len(f.Candidates) > 0 {
		return err
	}
	others := urlkey.SamePage(f.Normalized)
	keys := make([][32]byte, len(others))
	for i, other := range others {
		keys[i] = urlkey.LookupKey(urlkey.LookupURL, other)
	}
	if err := c.loadBuckets(ctx, f, layers, LookupPrimary, keys...); err != nil {
		return err
	}
	for i, other := range others {
		for k := range layers {
			bucket, name := f.bucketOf(&layers[k], LookupPrimary, keys[i])
			if err := f.findInBucket(&layers[k], bucket, name, other, TagURL, TagAlias); err != nil {
				return err
			}
		}
	}
	for i := range f.Candidates {
		f.Candidates[i].Basis = exports.BasisSamePage
	}
	return nil
}

// lookupKey reads the bucket of a key in each layer and keeps the candidates that
// have exactly the value.
func (c *Resolver) lookupKey(ctx context.Context, layers []layer, f *Found, key [32]byte, tags ...string) error {
	buckets, names, err := c.readBuckets(ctx, f, layers, LookupPrimary, key)
	for i, k := range buckets {
		if err := f.findInBucket(&layers[i], k, names[i], f.Normalized, tags...); err != nil {
			return err
		}
	}
	return err
}

// findInBucket keeps the candidates of a bucket that have exactly the value.
func (f *Found) findInBucket(l *layer, k *Bucket, name exports.Key, value string, tags ...string) error {
	found, err := k.Find(value, tags...)
	if err != nil {
		return staticindex.OutageError(string(name), err)
	}
	for i := range found {
		if !l.gone.has(found[i].EntryID) {
			f.keepCandidate(&found[i])
		}
	}
	if f.BuiltAt == "" { // the first layer is the latest
		f.LedgerSize, f.BuiltAt = k.LedgerSize, k.BuiltAt
	}
	return nil
}

// lookupDigest is lookupKey for a fingerprint, whose bucket refers to most entries.
func (c *Resolver) lookupDigest(ctx context.Context, layers []layer, f *Found) error {
	buckets, names, err := c.readBuckets(ctx, f, layers, LookupFingerprint, urlkey.LookupKey(urlkey.LookupFingerprint, f.Normalized))
	if err != nil {
		return err
	}
	for i, k := range buckets {
		l := &layers[i]
		if err := f.findInBucket(l, k, names[i], f.Normalized, TagPortable, TagRegistry); err != nil {
			return err
		}
		refs, err := k.References(f.Normalized)
		if err != nil {
			return staticindex.OutageError(string(names[i]), err)
		}
		for _, r := range refs {
			if containsEntry(f.Candidates, r.EntryID) || l.gone.has(r.EntryID) {
				continue
			}
			x, err := c.readReferred(ctx, f, l, r)
			if err != nil {
				return err
			}
			f.keepCandidate(&x)
		}
	}
	return nil
}

// readReferred reads the facts of an entry that a digest of a layer refers to. Not to
// find it, or to find it with another digest, is an outage.
func (c *Resolver) readReferred(ctx context.Context, f *Found, l *layer, r Reference) (exports.Candidate, error) {
	own := EntryKey(r.EntryID, urlkey.LookupKey(urlkey.LookupEntry, r.EntryID))
	buckets, names, err := c.readBuckets(ctx, f, []layer{*l}, LookupPrimary, own)
	if err != nil {
		return exports.Candidate{}, err
	}
	found, err := buckets[0].Find(r.EntryID, TagURL, TagEntry)
	if err != nil {
		return exports.Candidate{}, staticindex.OutageError(string(names[0]), err)
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
	return exports.Candidate{}, staticindex.OutageError(string(names[0]), staticindex.ErrMalformed)
}

// readBuckets reads the bucket of a key in each layer, unless this look-up read it before,
// and gives their names.
func (c *Resolver) readBuckets(ctx context.Context, f *Found, layers []layer, kind string, key [32]byte) ([]*Bucket, []exports.Key, error) {
	if err := c.loadBuckets(ctx, f, layers, kind, key); err != nil {
		return nil, nil, err
	}
	out, names := make([]*Bucket, len(layers)), make([]exports.Key, len(layers))
	for i := range layers {
		out[i], names[i] = f.bucketOf(&layers[i], kind, key)
	}
	return out, names, nil
}

// bucketOf is the bucket of a key in a layer, which was loaded, and its name.
func (f *Found) bucketOf(l *layer, kind string, key [32]byte) (*Bucket, exports.Key) {
	name := BucketKey(l.gen, kind, BucketOf(key, l.bits[kind]))
	return f.buckets[name], name
}

// loadBuckets reads the buckets of keys in each layer that this look-up did not
// read before, all at once.
func (c *Resolver) loadBuckets(ctx context.Context, f *Found, layers []layer, kind string, keys ...[32]byte) error {
	if f.buckets == nil {
		f.buckets = map[exports.Key]*Bucket{}
	}
	type part struct{ bits, number int }
	var missing []exports.Key
	var parts []part
	for i := range layers {
		bits := layers[i].bits[kind]
		for _, key := range keys {
			number := BucketOf(key, bits)
			name := BucketKey(layers[i].gen, kind, number)
			if _, known := f.buckets[name]; !known {
				f.buckets[name] = nil
				missing, parts = append(missing, name), append(parts, part{bits, number})
			}
		}
	}
	files, err := c.files.ReadAll(ctx, missing)
	if err != nil {
		return err
	}
	for i, name := range missing {
		if f.buckets[name], err = DecodeBucket(files[i], kind, parts[i].bits, parts[i].number); err != nil {
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
