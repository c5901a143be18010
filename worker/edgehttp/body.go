package edgehttp

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"colophon/worker/edge"
)

// ErrBusy reports that there is no room for one more request body.
var ErrBusy = errors.New("too many request bodies in flight")

// A body over the limit is read on to this many times the limit and thrown
// away, so that its sender gets to read the answer.
const drained = 16

// firstPiece is how much memory a body gets before any of it has arrived.
const firstPiece = 4 << 10

// readBody reads the body of r into req, within the limits of the server. The
// lease is to be closed once the body is no longer needed, whatever the error:
// ErrBusy, or the error of a body that broke off or came too slowly.
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
		_ = conn.SetReadDeadline(time.Time{}) // the next request has deadlines of its own
	case errors.Is(err, ErrBusy):
		setReadDeadline(conn, lingering)
	}
	return lease, err
}

// lingering is how long a body that will not be read may go on arriving, so
// that its sender gets to read the answer.
const lingering = time.Second

// setReadDeadline bounds what is still to be read; 0 is no bound. After an
// error it must stay: net/http keeps reading what is left of a body.
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

// openLease begins a body of a client, or fails with ErrBusy.
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

// BodyLease is the part of a budget that one body has. The nil lease is one of
// no budget.
type BodyLease struct {
	budget *BodyBudget
	client string
	bytes  int64
}

// growLease leases n more bytes, or fails with ErrBusy.
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

// Close gives everything back.
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
