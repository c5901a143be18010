package server

import (
	"container/list"
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// connLimiter bounds the connections of a server. When all are taken, a
// connection that waits without a request being processed is closed for a new
// one, so that slow and idle clients cannot keep others out. Among those that
// have waited longest, it is one of the client with the most connections, so
// that a crowd displaces its own rather than someone else's only connection,
// whose request is on its way. A new connection is turned away only if every
// connection is processing a request.
type connLimiter struct {
	most      int
	perClient int
	proxies   func() *Proxies
	encrypted bool // the connections use TLS: clients could not read a plain answer

	mu      sync.Mutex
	open    map[*limitedConn]struct{}
	waiting *list.List // of *limitedConn, the longest waiting in front
	clients map[netip.Prefix]int
	evicted int64
	refused int64
}

func newConnLimiter(most, perClient int, proxies func() *Proxies) *connLimiter {
	return &connLimiter{
		most: most, perClient: perClient, proxies: proxies,
		open: map[*limitedConn]struct{}{}, waiting: list.New(), clients: map[netip.Prefix]int{},
	}
}

// Listen bounds the connections that a listener accepts.
func (l *connLimiter) Listen(inner net.Listener) net.Listener { return &limitedListener{inner, l} }

type limitedListener struct {
	net.Listener
	limiter *connLimiter
}

// Accept waits for the next connection that is let in.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.limiter.admitConn(inner); c != nil {
			return c, nil
		}
	}
}

// admitConn admits a connection, or answers and closes it.
func (l *connLimiter) admitConn(inner net.Conn) net.Conn {
	c := &limitedConn{Conn: inner, limiter: l, client: l.clientOf(inner.RemoteAddr())}
	l.mu.Lock()
	if c.client.IsValid() && l.clients[c.client] >= l.perClient {
		l.refused++
		l.mu.Unlock()
		l.turnAway(inner)
		return nil
	}
	victim := l.makeRoom()
	if len(l.open) >= l.most {
		l.refused++
		l.mu.Unlock()
		l.turnAway(inner)
		return nil
	}
	l.open[c] = struct{}{}
	if c.client.IsValid() {
		l.clients[c.client]++
	}
	c.place = l.waiting.PushBack(c)
	l.mu.Unlock()

	if victim != nil {
		_ = victim.Conn.Close()
	}
	return c
}

// candidates is how many of the longest waiting connections are considered when
// one must make room.
const candidates = 64

// makeRoom removes a waiting connection if all are taken: among the longest
// waiting ones, one of the client with the most connections, and of these the
// longest waiting. The lock is held; the caller closes the connection.
func (l *connLimiter) makeRoom() *limitedConn {
	if len(l.open) < l.most || l.waiting.Len() == 0 {
		return nil
	}
	victim := l.waiting.Front().Value.(*limitedConn)
	place := l.waiting.Front()
	for range candidates {
		if place = place.Next(); place == nil {
			break
		}
		if c := place.Value.(*limitedConn); l.clients[c.client] > l.clients[victim.client] {
			victim = c
		}
	}
	l.forgetConn(victim)
	l.evicted++
	return victim
}

// forgetConn stops counting a connection, once. The lock is held.
func (l *connLimiter) forgetConn(c *limitedConn) {
	if _, there := l.open[c]; !there {
		return
	}
	delete(l.open, c)
	if c.place != nil {
		l.waiting.Remove(c.place)
		c.place = nil
	}
	if c.client.IsValid() {
		if l.clients[c.client]--; l.clients[c.client] == 0 {
			delete(l.clients, c.client)
		}
	}
}

// clientOf returns the network that is counted as the client. A trusted proxy
// is not a client and is not counted.
func (l *connLimiter) clientOf(addr net.Addr) netip.Prefix {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr()
	if l.proxies().Trusts(ip) {
		return netip.Prefix{}
	}
	return clientNetwork(ip)
}

// clientNetwork returns a whole IPv4 address or the /64 of an IPv6 address, all
// of which one client can use at will.
func clientNetwork(ip netip.Addr) netip.Prefix {
	ip = ip.Unmap().WithZone("")
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}

// Counts returns how many connections are open, how many of these wait, and
// how many were closed for others and turned away so far.
func (l *connLimiter) Counts() (open, waiting int, evicted, refused int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open), l.waiting.Len(), l.evicted, l.refused
}

// limitedConn is a connection counted by its limiter.
type limitedConn struct {
	net.Conn
	limiter *connLimiter
	client  netip.Prefix

	// Guarded by the lock of the limiter.
	place   *list.Element // among the waiting, nil while requests are processed
	working int
}

// Close ends the connection.
func (c *limitedConn) Close() error {
	c.limiter.mu.Lock()
	c.limiter.forgetConn(c)
	c.limiter.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite sends the end of the stream, so that a client can read the last
// answer although it still sends.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// beginRequest records that a request is being processed, endRequest that it
// was answered.
func (c *limitedConn) beginRequest() {
	l := c.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	c.working++
	if c.place != nil {
		l.waiting.Remove(c.place)
		c.place = nil
	}
}

func (c *limitedConn) endRequest() {
	l := c.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	c.working--
	if _, there := l.open[c]; there && c.working == 0 && c.place == nil {
		c.place = l.waiting.PushBack(c)
	}
}

type connKey struct{}

// connContext lets handlers find the connection of a request; it is the
// ConnContext of an http.Server.
func connContext(ctx context.Context, c net.Conn) context.Context {
	for {
		switch x := c.(type) {
		case *limitedConn:
			return context.WithValue(ctx, connKey{}, x)
		case interface{ NetConn() net.Conn }:
			c = x.NetConn()
		default:
			return ctx
		}
	}
}

// trackWork tells the connection limiter while requests are processed. A
// request whose body is still arriving is not.
func trackWork(next edge.Handler) edge.Handler {
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		if c, ok := ctx.Value(connKey{}).(*limitedConn); ok {
			c.beginRequest()
			context.AfterFunc(ctx, c.endRequest)
		}
		return next(ctx, r)
	}
}

// turnAway answers a connection beyond the limit, and closes it.
func (l *connLimiter) turnAway(c net.Conn) {
	defer c.Close()
	if l.encrypted {
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = c.Write(edgehttp.Overloaded()) // it fits into the buffer of a fresh connection
}
