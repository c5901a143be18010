package access

import (
	"context"
	"sync"
	"time"
)

// Nonces remembers the nonces of signatures, so that each can be used once.
type Nonces interface {
	// Spend reports whether a nonce of the signer at a host was not used
	// before, and remembers it until its signature expires. It returns false
	// for one that cannot be remembered.
	Spend(ctx context.Context, host, nonce string, until time.Time) bool
}

// isNew reports whether a signature was not used before. One without a nonce
// may be used again until it expires.
func (g *Guard) isNew(ctx context.Context, s *Signature) bool {
	if s.Nonce == "" {
		return true
	}
	if g.Nonces != nil {
		return g.Nonces.Spend(ctx, s.Host, s.Nonce, s.Until)
	}
	if s.Created.Before(g.Since) {
		return false
	}
	return g.nonces.spendNonce(s.Host, s.Nonce, s.Until, g.Now())
}

// RemembersFrom returns the Since of a guard that starts at an instant,
// allowing for signers whose clock is ahead.
func RemembersFrom(start time.Time) time.Time { return start.Add(clockSkew * time.Second) }

// Bounds of the remembered nonces. A signer that has more in force proves
// nothing until some of them expire.
const (
	maxNonces       = 4096 // of one host
	maxNonceSigners = 256
)

// nonceMemory remembers the nonces of signatures until these expire, so that
// each can be used once. The zero value is empty and ready.
type nonceMemory struct {
	mu   sync.Mutex
	seen map[string]map[string]time.Time // by host and nonce: when the signature expires
}

// spendNonce reports whether a nonce of a host is new, and remembers it. It
// returns false for one that cannot be remembered.
func (m *nonceMemory) spendNonce(host, nonce string, until, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.seen[host]
	if _, known := own[nonce]; known {
		return false
	}
	if own == nil && !m.admitSigner(host, now) {
		return false
	}
	own = m.seen[host]
	if len(own) >= maxNonces {
		forgetEnded(own, now)
	}
	if len(own) >= maxNonces {
		return false
	}
	own[nonce] = until
	return true
}

// admitSigner makes room for a signer.
func (m *nonceMemory) admitSigner(host string, now time.Time) bool {
	if m.seen == nil {
		m.seen = map[string]map[string]time.Time{}
	}
	if len(m.seen) >= maxNonceSigners {
		for other, nonces := range m.seen {
			forgetEnded(nonces, now)
			if len(nonces) == 0 {
				delete(m.seen, other)
			}
		}
	}
	if len(m.seen) >= maxNonceSigners {
		return false
	}
	m.seen[host] = map[string]time.Time{}
	return true
}

func forgetEnded(nonces map[string]time.Time, now time.Time) {
	for nonce, until := range nonces {
		if until.Before(now) {
			delete(nonces, nonce)
		}
	}
}
