package ledger

import (
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
	"colophon/internal/wire"
)

// checkLeaf checks the form of a leaf and counts it.
func (a *audit) checkLeaf(index int64, leaf []byte) {
	v, err := wire.Parse(leaf, wire.Limits{Bytes: 1 << 16, Depth: 4, Members: 64})
	if err != nil || string(v.Append(nil)) != string(leaf) {
		a.addFinding("leaf %d is not canonical JSON", index)
		return
	}
	form, _ := v.Get("leaf").Str()
	var key record.KeyLeaf
	var r wire.Record
	switch form {
	case record.FormatRecordLeaf:
		r = &record.RecordLeaf{}
	case record.FormatKeyLeaf:
		r = &key
	case record.FormatIndexLeaf:
		r = &record.IndexLeaf{}
	case record.FormatPolicyLeaf:
		r = &record.PolicyLeaf{}
	default:
		a.addFinding("leaf %d has the unknown form %q", index, form)
		return
	}
	if err := wire.DecodeValue(&v, r); err != nil {
		a.addFinding("leaf %d: %v", index, err)
	}
	if key.Op == record.OpAdd {
		a.keys[key.KeyID] = true
	}
	a.Leaves[form]++
}

// compareRemembered compares the log with the checkpoint seen earlier.
func (a *audit) compareRemembered() {
	if a.q.Known == nil {
		return
	}
	known, err := ledgerlog.ReadCheckpoint(a.q.Known)
	switch {
	case err != nil:
		a.addFinding("the checkpoint that is remembered is damaged: %v", err)
	case known.Origin != a.Checkpoint.Origin:
		a.addFinding("this is the log %q, remembered is %q", a.Checkpoint.Origin, known.Origin)
	case known.Size > a.Checkpoint.Size:
		a.addFinding("rolled back: %d leaves were seen earlier, %d are published", known.Size, a.Checkpoint.Size)
	case known.Size > 0 && known.Root != a.past:
		a.addFinding("forked: the log no longer begins with the %d leaves that were seen earlier", known.Size)
	}
	if a.q.KnownKey != nil && *a.q.KnownKey != a.Key && !a.keys[record.Thumbprint(a.Key.Public)] {
		a.addFinding("signed by another key than before, which no leaf announces")
	}
}
