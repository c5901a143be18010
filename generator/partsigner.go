package generator

import (
	"crypto/sha256"
	"sync"
	"sync/atomic"

	"colophon/internal/record"
)

// keepingSigner keeps what it signs, for a part.
type keepingSigner struct {
	record.Signer

	mu   sync.Mutex
	rows [][]byte
}

// Sign signs, and keeps the signature.
func (s *keepingSigner) Sign(message []byte) ([]byte, error) {
	signature, err := s.Signer.Sign(message)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(message)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = append(s.rows, append(sum[:], signature...))
	return signature, nil
}

// takeRows gives what was kept since the last call.
func (s *keepingSigner) takeRows() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := s.rows
	s.rows = nil
	return rows
}

// knowingSigner signs what no part has signed. Ed25519 gives one signature for
// one message, so it does not matter who signed.
type knowingSigner struct {
	record.Signer
	known map[[sha256.Size]byte][]byte
	taken atomic.Int64
}

// Sign returns the signature of a part, or signs.
func (s *knowingSigner) Sign(message []byte) ([]byte, error) {
	if signature, ok := s.known[sha256.Sum256(message)]; ok {
		s.taken.Add(1)
		return signature, nil
	}
	return s.Signer.Sign(message)
}
