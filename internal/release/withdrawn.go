package release

import (
	"encoding/base64"
	"fmt"

	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/wire"
	"colophon/internal/withdrawn"
)

// Withdrawn is the list of what was withdrawn since the published release was
// planned. Package withdrawn reads it.
type Withdrawn struct {
	Entries []string // ids
	Erased  []string // ids
	Owners  []string // ids
	Proof   Proof
}

func (w *Withdrawn) Members(m *wire.Members) {
	m.Const("document", "withdrawn_list")
	m.Strings(withdrawn.Entries, &w.Entries)
	m.Strings(withdrawn.Erased, &w.Erased)
	m.Flag("grants_rights", false)
	m.Strings(withdrawn.Owners, &w.Owners)
	m.Object("proof", &w.Proof)
	m.Const("schema_version", withdrawnSchema)
}

const withdrawnSchema = "service.withdrawn.v1"

// message returns the bytes that a signature covers.
func (w *Withdrawn) message() []byte {
	unsigned := *w
	unsigned.Proof.Signature = ""
	return wire.Append([]byte(exports.Cryptosuite+"\n"+withdrawnSchema+"\n"), &unsigned)
}

// Sign completes the proof, whose Created must be set, and returns the file.
func (w *Withdrawn) Sign(s record.Signer) ([]byte, error) {
	w.Proof.KeyID = s.KeyID()
	sig, err := s.Sign(w.message())
	if err != nil {
		return nil, fmt.Errorf("cannot sign the list of what is withdrawn: %w", err)
	}
	w.Proof.Signature = base64.RawURLEncoding.EncodeToString(sig)
	return wire.Append(nil, w), nil
}

// ParseWithdrawn parses and verifies a list. A key counts if it was valid at
// the instant that the list states. It returns ErrDamaged or ErrSignature.
func ParseWithdrawn(data []byte, keys record.KeySet) (*Withdrawn, error) {
	w := &Withdrawn{}
	if err := wire.Decode(data, w, wire.Limits{Bytes: 1 << 26, Depth: 16, Members: 1 << 22}); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, withdrawn.Key, err)
	}
	sig, err := base64.RawURLEncoding.DecodeString(w.Proof.Signature)
	if err != nil || !verifies(keys, &w.Proof, w.message(), sig) {
		return nil, ErrSignature
	}
	return w, nil
}
