package release

import (
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

const (
	withdrawnSchema  = "service.withdrawn.v1"
	withdrawnContext = exports.Cryptosuite + "\n" + withdrawnSchema + "\n"
)

// Sign completes the proof, whose Created must be set, and returns the file.
func (w *Withdrawn) Sign(s record.Signer) ([]byte, error) {
	return sign(withdrawn.Key, w, &w.Proof, withdrawnContext, s)
}

// ParseWithdrawn parses and verifies a list. A key counts if it was valid at
// the instant that the list states. It returns ErrDamaged or ErrSignature.
func ParseWithdrawn(data []byte, keys record.KeySet) (*Withdrawn, error) {
	w := &Withdrawn{}
	if err := decode(data, withdrawn.Key, w); err != nil {
		return nil, err
	}
	err := verify(w, &w.Proof, withdrawnContext, keys)
	return w, err
}
