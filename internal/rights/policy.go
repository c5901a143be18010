package rights

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Channels returns the states of the site's channels as of the last check.
func (f *SiteSnapshot) Channels() []exports.ChannelState {
	return channelStates(f.Evidence)
}

// currentPolicy returns a reference to what the site states now: the last
// recorded version if nothing changed since, or the one about to be recorded.
// It returns nil for a site that never stated anything.
func currentPolicy(f *SiteSnapshot) *exports.PolicyRef {
	docs := documents(f.Evidence, latestInstant)
	return policyOf(f, docs)
}

// policyOf is currentPolicy for a caller that has already read docs, the documents in force.
func policyOf(f *SiteSnapshot, docs []statements.Document) *exports.PolicyRef {
	pass, n := f.Passport(), len(f.Policies)
	if pass == nil && n == 0 {
		return nil
	}
	p := &exports.PolicyRef{PolicyID: "pol_" + f.Site.SiteID, Version: 1, Digest: policyDigest(f, docs), EffectiveFrom: f.PolicyChanged(), HistoryURL: exports.PolicyHistoryPath(f.Site.SiteID)}
	if n == 0 {
		return p
	}
	last := &f.Policies[n-1]
	p.Version = last.Version
	if last.Digest == p.Digest {
		p.EffectiveFrom = last.EffectiveFrom
		return p
	}
	p.Version++
	p.EffectiveFrom = max(p.EffectiveFrom, last.EffectiveFrom)
	return p
}

// PolicyDigest returns the digest of everything that the site states:
// preferences, offers, passport, the documents that apply to the site as a
// whole, and what came with its home page, by which the site as a whole is judged.
// A document that could not be reached, and was not read before, states nothing.
func PolicyDigest(f *SiteSnapshot) string {
	docs := documents(f.Evidence, latestInstant)
	return policyDigest(f, docs)
}

func policyDigest(f *SiteSnapshot, docs []statements.Document) string {
	h := sha256.New()
	var line []byte
	for _, p := range f.publicPreferences() {
		line = append(wire.Append(line[:0], &p), '\n')
		h.Write(line)
	}
	for i := range f.Offers {
		if o, ok := Offer(f, &f.Offers[i], 0); ok {
			h.Write([]byte(o.LicenseID + " " + o.Status + " " + o.Digest + "\n"))
		}
	}
	if pass := f.Passport(); pass != nil {
		h.Write([]byte(pass.PassportID + " " + pass.EffectiveFrom + "\n"))
	}
	for i := range docs {
		if d := &docs[i]; d.Digest != "" && f.isSiteWide(d.Embedded, d.URL) {
			h.Write([]byte(string(d.Channel) + " " + d.URL + " " + d.Digest + "\n"))
		}
	}
	return "sha-256:" + hex.EncodeToString(h.Sum(nil))
}

// NextPolicy returns the version to record if what the site states differs from
// the last recorded version. ok is false if it does not differ or the site is
// not public.
func NextPolicy(f *SiteSnapshot, recordedAt string) (origin.PolicyVersion, bool) {
	n := len(f.Policies)
	p := currentPolicy(f)
	if p == nil {
		p = &exports.PolicyRef{Version: 1, Digest: PolicyDigest(f), EffectiveFrom: f.PolicyChanged()}
	}
	if n > 0 && f.Policies[n-1].Digest == p.Digest || !Public(f.Site) {
		return origin.PolicyVersion{}, false
	}
	stance := Stance{Preferences: f.statedPreferences(), Offers: f.ownJudge().doc.Offers}
	return origin.PolicyVersion{
		SiteID: f.Site.SiteID, Version: p.Version, EffectiveFrom: p.EffectiveFrom, Digest: p.Digest, Vector: f.Vector(),
		Vectors: string(f.vectorsByPath().Append(nil)), Facts: string(wire.Append(nil, &stance)), RecordedAt: max(recordedAt, p.EffectiveFrom),
	}, true
}

// vectorsByPath returns the rights vector of each part of the site that an
// offer names.
func (f *SiteSnapshot) vectorsByPath() wire.Value {
	r := f.ownJudge()
	out := wire.Array(pathVector("/*", f.Vector()))
	var seen []string
	for _, o := range r.doc.Offers {
		for _, path := range o.Scope.Paths {
			if path == "/*" || slices.Contains(seen, path) {
				continue
			}
			seen = append(seen, path)
			vector := r.evaluateVector(&Resource{URL: joinPath(r.doc.SiteURL, path)})
			out.Items = append(out.Items, pathVector(path, vector))
		}
	}
	return out
}

func pathVector(path, vector string) wire.Value {
	return wire.Object(wire.M("path", wire.String(path)), wire.M("rights_vector", wire.String(vector)))
}

// joinPath returns an address that a pattern matches, made of the site and the
// part of the pattern before its first star.
func joinPath(site, pattern string) string {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' || pattern[i] == '$' {
			pattern = pattern[:i]
		}
	}
	for len(site) > 0 && site[len(site)-1] == '/' {
		site = site[:len(site)-1]
	}
	return site + pattern
}
