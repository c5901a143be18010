package lookup

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
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
}

// Resolve looks a source up by its address, a fingerprint (portable or
// registry) or an entry id, and returns every match; none is no_match. It
// reads one file, and for a fingerprint at most MaxReferences more.
func (c *Resolver) Resolve(ctx context.Context, l Lookup) (*exports.Resolution, error) {
	f, err := c.Find(ctx, l)
	if err != nil {
		return nil, err
	}
	if len(f.Candidates) == 0 {
		return nil, &staticindex.Error{Code: "no_match", Param: f.Key, Detail: "Nothing registered matches; that says nothing about rights."}
	}
	return &exports.Resolution{Key: f.Key, Value: f.Value, Normalized: f.Normalized, Basis: f.Candidates[0].Basis, Candidates: f.Candidates}, nil
}

// Find is Resolve for callers to which no match is an answer.
func (c *Resolver) Find(ctx context.Context, l Lookup) (*Found, error) {
	f, err := l.parseKey()
	if err != nil {
		return nil, err
	}
	g, err := c.files.FindGeneration(ctx, "")
	if err != nil {
		return nil, err
	}
	switch f.Key {
	case "url":
		err = c.lookupKey(ctx, g, f, LookupPrimary, urlkey.LookupKey(urlkey.LookupURL, f.Normalized), TagURL, TagAlias)
	case "entry_id":
		own := urlkey.LookupKey(urlkey.LookupEntry, f.Normalized)
		err = c.lookupKey(ctx, g, f, LookupPrimary, EntryKey(f.Normalized, own), TagURL, TagEntry)
	default:
		err = c.lookupDigest(ctx, g, f)
	}
	return f, err
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
		url, err := urlkey.URLKey(f.Value)
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

// lookupKey reads the bucket of a key and keeps the candidates that have exactly
// the value.
func (c *Resolver) lookupKey(ctx context.Context, g *staticindex.Generation, f *Found, kind string, key [32]byte, tags ...string) error {
	k, name, err := c.readBucket(ctx, g, kind, key)
	if err != nil {
		return err
	}
	return f.findInBucket(g, k, name, tags...)
}

// findInBucket keeps the candidates of a bucket that have exactly the value.
func (f *Found) findInBucket(g *staticindex.Generation, k *Bucket, name string, tags ...string) error {
	found, err := k.Find(f.Normalized, tags...)
	if err != nil {
		return staticindex.OutageError(name, err)
	}
	f.keepCandidates(g, found)
	f.LedgerSize, f.BuiltAt = k.LedgerSize, k.BuiltAt
	return nil
}

// lookupDigest is lookup for a fingerprint, whose bucket refers to most entries.
func (c *Resolver) lookupDigest(ctx context.Context, g *staticindex.Generation, f *Found) error {
	key := urlkey.LookupKey(urlkey.LookupFingerprint, f.Normalized)
	k, name, err := c.readBucket(ctx, g, LookupFingerprint, key)
	if err != nil {
		return err
	}
	if err := f.findInBucket(g, k, name, TagPortable, TagRegistry); err != nil {
		return err
	}
	refs, err := k.References(f.Normalized)
	if err != nil {
		return staticindex.OutageError(name, err)
	}
	for _, r := range refs {
		if containsEntry(f.Candidates, r.EntryID) {
			continue
		}
		x, err := c.readReferred(ctx, g, r, f.Normalized)
		if err != nil {
			return err
		}
		f.keepCandidates(g, []exports.Candidate{x})
	}
	return nil
}

// readReferred reads the facts of an entry that a digest refers to. Not to find it,
// or to find it with another digest, is an outage.
func (c *Resolver) readReferred(ctx context.Context, g *staticindex.Generation, r Reference, digest string) (exports.Candidate, error) {
	own := EntryKey(r.EntryID, urlkey.LookupKey(urlkey.LookupEntry, r.EntryID))
	k, name, err := c.readBucket(ctx, g, LookupPrimary, own)
	if err != nil {
		return exports.Candidate{}, err
	}
	found, err := k.Find(r.EntryID, TagURL, TagEntry)
	if err != nil {
		return exports.Candidate{}, staticindex.OutageError(name, err)
	}
	for _, x := range found {
		switch {
		case x.EntryID != r.EntryID:
		case r.Tag == TagPortableOf && x.Portable == digest:
			x.Basis = exports.BasisPortable
			return x, nil
		case r.Tag == TagRegistryOf && x.Registry == digest:
			x.Basis = exports.BasisRegistry
			return x, nil
		}
	}
	return exports.Candidate{}, staticindex.OutageError(name, staticindex.ErrMalformed)
}

// readBucket reads the bucket of a key.
func (c *Resolver) readBucket(ctx context.Context, g *staticindex.Generation, kind string, key [32]byte) (*Bucket, string, error) {
	bits := int(g.PBits)
	if kind == LookupFingerprint {
		bits = int(g.FBits)
	}
	n := BucketOf(key, bits)
	name := BucketKey(g.Gen, kind, n)
	b, err := c.files.ReadFile(ctx, name)
	if err != nil {
		return nil, "", err
	}
	k, err := DecodeBucket(b, kind, bits, n)
	if err != nil {
		return nil, "", staticindex.OutageError(string(name), err)
	}
	return k, string(name), nil
}

// keepCandidates adds candidates, each entry once.
func (f *Found) keepCandidates(g *staticindex.Generation, found []exports.Candidate) {
	for _, x := range found {
		if !containsEntry(f.Candidates, x.EntryID) {
			x.RightsAsOf = g.Release.GeneratedAt
			f.Candidates = append(f.Candidates, x)
		}
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
