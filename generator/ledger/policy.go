package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"colophon/internal/ledgerlog"
)

// Witness is a party that cosigns checkpoints.
type Witness struct {
	Key ledgerlog.WitnessKey
	URL string // submission prefix, without a final slash
}

// Policy says what makes a checkpoint trustworthy: the signature of one of the
// keys, and the cosignatures of Quorum witnesses.
type Policy struct {
	Keys      []ledgerlog.VerifierKey // the first one signs now
	Witnesses []Witness
	Quorum    int // 0 for none
}

// witnessGroup names the group of all witnesses.
const witnessGroup = "witnesses"

// Append appends the policy (C2SP tlog-policy) to dst.
func (p *Policy) Append(dst []byte) []byte {
	for _, k := range p.Keys {
		dst = fmt.Appendf(dst, "log %s\n", k)
	}
	names := ""
	for i, w := range p.Witnesses {
		name := "w" + strconv.Itoa(i+1)
		dst = fmt.Appendf(dst, "witness %s %s %s\n", name, w.Key, w.URL)
		names += " " + name
	}
	if p.Quorum == 0 || len(p.Witnesses) == 0 {
		return append(dst, "quorum none\n"...)
	}
	return fmt.Appendf(dst, "group %s %d%s\nquorum %s\n", witnessGroup, p.Quorum, names, witnessGroup)
}

// ErrPolicy is returned for a policy that is not in the form that this service
// writes.
var ErrPolicy = errors.New("the ledger's policy is not valid")

// ParsePolicy parses a policy. It accepts only what Append writes.
func ParsePolicy(text []byte) (Policy, error) {
	var p Policy
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			return p, ErrPolicy
		}
		switch f[0] {
		case "log":
			k, err := ledgerlog.ParseVerifierKey(f[1])
			if err != nil {
				return p, fmt.Errorf("%w: %w", ErrPolicy, err)
			}
			p.Keys = append(p.Keys, k)
		case "witness":
			if len(f) != 4 {
				return p, ErrPolicy
			}
			k, err := ledgerlog.ParseWitnessKey(f[2])
			if err != nil {
				return p, fmt.Errorf("%w: %w", ErrPolicy, err)
			}
			p.Witnesses = append(p.Witnesses, Witness{k, f[3]})
		case "group":
			n, err := strconv.Atoi(f[min(2, len(f)-1)])
			if err != nil || n < 1 || n > len(p.Witnesses) {
				return p, ErrPolicy
			}
			p.Quorum = n
		}
	}
	if len(p.Keys) == 0 || string(p.Append(nil)) != string(text) {
		return p, ErrPolicy
	}
	return p, nil
}

// Cosigned returns how many witnesses of the policy have cosigned a checkpoint.
func (p *Policy) Cosigned(checkpoint []byte) (n int) {
	for _, w := range p.Witnesses {
		if _, ok := ledgerlog.FindCosignature(checkpoint, w.Key); ok {
			n++
		}
	}
	return n
}
