package colophon_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// cutter forwards TCP connections, and cuts some of them while the answer is
// being sent.
type cutter struct {
	base string // the address that a client connects to

	mu      sync.Mutex
	budgets []int64 // how many bytes of answers the next connections forward before they are cut
	cuts    int
}

// newCutter returns a proxy that cuts one connection after each of the budgets;
// later connections stay intact. A budget of 0 lets the service answer, but the
// client receives nothing.
func newCutter(t *testing.T, target string, budgets ...int64) *cutter {
	t.Helper()
	u, err := url.Parse(target)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	p := &cutter{base: "http://" + listener.Addr().String(), budgets: budgets}
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			go p.pass(in, u.Host)
		}
	}()
	return p
}

func (p *cutter) pass(in net.Conn, host string) {
	defer in.Close()
	out, err := net.Dial("tcp", host)
	if err != nil {
		return
	}
	defer out.Close()
	go func() {
		io.Copy(out, in) //nolint:errcheck // the client is gone
		out.(*net.TCPConn).CloseWrite()
	}()
	budget := p.next()
	if budget < 0 {
		io.Copy(in, out) //nolint:errcheck // as above
		return
	}
	first := make([]byte, 1)
	if _, err := io.ReadFull(out, first); err != nil {
		return
	}
	if budget > 0 {
		in.Write(first)             //nolint:errcheck // as above
		io.CopyN(in, out, budget-1) //nolint:errcheck // as above
	} else {
		io.CopyN(io.Discard, out, 100) //nolint:errcheck // the answer is being sent
	}
	p.mu.Lock()
	p.cuts++
	p.mu.Unlock()
}

// next returns the budget of a new connection, or -1 if the connection must not
// be cut.
func (p *cutter) next() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.budgets) == 0 {
		return -1
	}
	budget := p.budgets[0]
	p.budgets = p.budgets[1:]
	return budget
}

func (p *cutter) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts
}
