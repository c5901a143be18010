package record

import (
	"colophon/exports"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// checkMembers returns the JSON pointer of the first member of a record that is
// missing or violates the format, or "". Additional members are allowed: the
// signature covers them too.
//
//go:noinline
func checkMembers(v *wire.Value) string {
	switch {
	case !isText(v.Get("publisher_id")):
		return "/publisher_id"
	case !isText(v.Get("site_id")):
		return "/site_id"
	case !isEntryID(v.Get("entry_id")):
		return "/entry_id"
	case !isCanonicalURL(v.Get("canonical_url")):
		return "/canonical_url"
	case !isObject(v.Get("source")):
		return "/source"
	case !isObject(v.Get("rights_passport")):
		return "/rights_passport"
	case v.Get("status") != nil && !isText(v.Get("status")):
		return "/status"
	}
	if at := checkFingerprints(v.Get("fingerprints")); at != "" {
		return "/fingerprints" + at
	}
	if at := checkVersion(v); at != "" {
		return at
	}
	return checkProof(v.Get("proof"))
}

func checkFingerprints(v *wire.Value) string {
	portable, registry := v.Get("portable"), v.Get("registry")
	switch {
	case !isConst(portable.Get("algorithm"), "sha-256"):
		return "/portable/algorithm"
	case !isConst(portable.Get("profile"), exports.ProfileCanonicalText):
		return "/portable/profile"
	case !isHexDigest(portable.Get("digest")):
		return "/portable/digest"
	case registry == nil:
		return ""
	case !isConst(registry.Get("algorithm"), "sha-256"):
		return "/registry/algorithm"
	case !isHexDigest(registry.Get("digest")):
		return "/registry/digest"
	}
	return ""
}

// checkVersion requires version 1, or a later one that names the record it
// supersedes.
func checkVersion(v *wire.Value) string {
	version, ok := v.Get("record_version").Int()
	previous := v.Get("supersedes")
	switch {
	case !ok || version < 1:
		return "/record_version"
	case version == 1 && previous != nil || version > 1 && !isHexDigest(previous):
		return "/supersedes"
	}
	return ""
}

func checkProof(v *wire.Value) string {
	switch {
	case !isInstant(v.Get("created")):
		return "/proof/created"
	case !isText(v.Get("key_id")):
		return "/proof/key_id"
	}
	return ""
}

// stringOrEmpty returns the text of a string, "" for anything else.
func stringOrEmpty(v *wire.Value) string {
	s, _ := v.Str()
	return s
}

func isText(v *wire.Value) bool               { return stringOrEmpty(v) != "" }
func isConst(v *wire.Value, want string) bool { return stringOrEmpty(v) == want }
func isObject(v *wire.Value) bool             { return v != nil && v.Kind == wire.KindObject }
func isEntryID(v *wire.Value) bool            { return exports.ValidEntryID(stringOrEmpty(v)) }
func isHexDigest(v *wire.Value) bool          { return isDigest(stringOrEmpty(v)) }

func isInstant(v *wire.Value) bool {
	_, ok := unixSeconds(stringOrEmpty(v))
	return ok
}

func isCanonicalURL(v *wire.Value) bool {
	s := stringOrEmpty(v)
	canonical, err := urlkey.Address(s)
	return err == nil && canonical == s
}

// isDigest reports whether s is a SHA-256 in lower-case hexadecimal.
func isDigest(s string) bool {
	for i := 0; i < len(s); i++ {
		isDigit := s[i] >= '0' && s[i] <= '9'
		if !isDigit && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return len(s) == 64
}
