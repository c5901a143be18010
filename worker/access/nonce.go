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

// Bounds of the remembered nonces. A signer that has more in force proves
// nothing until some of them expire.
const (
	maxNonces       = 4096 // of one host
	maxNonceSigners = 256
)

// NonceMemory are Nonces in the memory of one process.
type NonceMemory struct {
	Now func() time.Time

	mu   sync.Mutex
	seen map[string]map[string]time.Time // by host and nonce: when the signature expires
}

// Spend implements Nonces.
func (m *NonceMemory) Spend(_ context.Context, host, nonce string, until time.Time) bool {
	now := m.Now()
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
func (m *NonceMemory) admitSigner(host string, now time.Time) bool {
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
