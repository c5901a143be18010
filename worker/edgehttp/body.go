package edgehttp

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"colophon/worker/edge"
)

// ErrBusy is returned if there is no room for another request body.
var ErrBusy = errors.New("too many request bodies in flight")

// drained bounds how much of a body over the limit is read and discarded, as a
// multiple of the limit, so that its sender gets to read the answer.
const drained = 16

// firstPiece is how much memory a body gets before any of it has arrived.
const firstPiece = 4 << 10

// readBody reads the body of r into req, within the limits of the server.
// Callers must close the lease once the body is no longer needed, even if there
// is an error: ErrBusy, or that of a body that ended early or came too slowly.
func (s *server) readBody(w http.ResponseWriter, r *http.Request, req *edge.Request) (*BodyLease, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	if r.ContentLength > s.BodyLimit*drained {
		req.TooLarge = true
		return nil, nil
	}
	conn := http.NewResponseController(w)
	lease, err := s.Bodies.openLease(req.Remote)
	if err == nil {
		setReadDeadline(conn, s.BodyTimeout)
		err = s.readLeased(r, req, lease)
	}
	switch {
	case err == nil:
		_ = conn.SetReadDeadline(time.Time{}) // the next request has its own deadlines
	case errors.Is(err, ErrBusy):
		setReadDeadline(conn, lingering)
	}
	return lease, err
}

// lingering is how long a body that is not read may continue to arrive, so that
// its sender gets to read the answer.
const lingering = time.Second

// setReadDeadline bounds the time for what is still to be read; 0 is no bound.
// After an error the bound must stay, because net/http continues to read the
// rest of a body.
func setReadDeadline(conn *http.ResponseController, most time.Duration) {
	if most > 0 {
		_ = conn.SetReadDeadline(time.Now().Add(most)) // a writer without deadlines is a test's
	}
}

// readLeased reads the body of r into req.
func (s *server) readLeased(r *http.Request, req *edge.Request, lease *BodyLease) error {
	body, err := readUpTo(r.Body, s.BodyLimit+1, lease)
	if err != nil {
		return err
	}
	if int64(len(body)) > s.BodyLimit {
		req.TooLarge = true
		_, err := io.CopyN(io.Discard, r.Body, s.BodyLimit*(drained-1))
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}
	if len(body) > 0 {
		req.Body = body
	}
	return nil
}

// readUpTo reads at most limit bytes. Memory is leased as bytes arrive, so
// that announcing a body costs nothing.
func readUpTo(r io.Reader, limit int64, lease *BodyLease) ([]byte, error) {
	var body []byte
	for int64(len(body)) < limit {
		if len(body) == cap(body) {
			size := min(max(firstPiece, 2*int64(cap(body))), limit)
			if err := lease.growLease(size - int64(cap(body))); err != nil {
				return nil, err
			}
			next := make([]byte, len(body), size)
			copy(next, body)
			body = next
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return body, nil
}

// BodyBudget bounds the request bodies in flight of a whole server: their
// memory, their number, and how many one client may have. The nil budget bounds
// nothing.
type BodyBudget struct {
	bytes     int64
	count     int
	perClient int

	mu      sync.Mutex
	used    int64
	bodies  int
	clients map[string]int
}

// NewBodyBudget returns a budget of so many bytes and bodies, and so many
// bodies for each client address.
func NewBodyBudget(bytes int64, count, perClient int) *BodyBudget {
	return &BodyBudget{bytes: bytes, count: count, perClient: perClient, clients: map[string]int{}}
}

// InFlight returns how many bodies are being read or answered, and their
// memory in bytes.
func (b *BodyBudget) InFlight() (count int, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bodies, b.used
}

// openLease begins a lease for a client's body. It returns ErrBusy if there is
// no room.
func (b *BodyBudget) openLease(client string) (*BodyLease, error) {
	if b == nil {
		return nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bodies >= b.count || b.clients[client] >= b.perClient {
		return nil, ErrBusy
	}
	b.bodies++
	b.clients[client]++
	return &BodyLease{budget: b, client: client}, nil
}

// BodyLease is the part of a budget that one body uses. A nil lease belongs to
// no budget.
type BodyLease struct {
	budget *BodyBudget
	client string
	bytes  int64
}

// growLease leases n more bytes. It returns ErrBusy if there is no room.
func (l *BodyLease) growLease(n int64) error {
	if l == nil {
		return nil
	}
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	if l.budget.used+n > l.budget.bytes {
		return ErrBusy
	}
	l.budget.used += n
	l.bytes += n
	return nil
}

// Close returns the whole lease to the budget.
func (l *BodyLease) Close() {
	if l == nil {
		return
	}
	b := l.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= l.bytes
	b.bodies--
	if b.clients[l.client]--; b.clients[l.client] == 0 {
		delete(b.clients, l.client)
	}
}
