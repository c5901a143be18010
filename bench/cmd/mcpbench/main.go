// Command bench measures tools/call per second: it sends the same call to the
// servers alternately, so that other work on the machine affects all of them.
//
//	bench [-c 4] [-d 3s] [-turns 4] -site ID NAME=URL[,PID] …
//
// If the process of a server is given, its CPU time shows what a call costs on
// one core; the rate alone also includes the cost of the client.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	clients  = flag.Int("c", 4, "connections at once")
	duration = flag.Duration("d", 3*time.Second, "length of a turn")
	turns    = flag.Int("turns", 4, "turns for each server")
	front    = flag.Bool("front", false, "send a new X-Real-IP with each call, as a proxy in front would, so that rate limits stay out")
	site     = flag.String("site", "", "publisher whose record is read")
)

// server is one side of the measurement.
type server struct {
	name, url string
	pid       int
	sent      atomic.Uint32
	took      []time.Duration
	elapsed   time.Duration
	cpu       time.Duration
}

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var servers []*server
	for _, a := range args {
		s, err := parse(a)
		if err != nil {
			return err
		}
		servers = append(servers, s)
	}
	if len(servers) == 0 || *site == "" {
		return errors.New("usage: bench [flags] -site ID NAME=URL[,PID] …")
	}
	for _, s := range servers {
		if err := s.turn(time.Second, false); err != nil { // warm up
			return err
		}
	}
	busy, own := machineTime(), ownTime(servers)
	for range *turns {
		for _, s := range servers {
			if err := s.turn(*duration, true); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%-28s %10s %12s %10s %10s %8s\n", "tools/call get_publisher", "calls/s", "CPU/call", "p50", "p99", "p99/p50")
	for _, s := range servers {
		s.print()
	}
	var elapsed time.Duration
	for _, s := range servers {
		elapsed += s.elapsed
	}
	others := machineTime() - busy - (ownTime(servers) - own)
	fmt.Printf("other processes took %.2f of %d cores meanwhile\n", others.Seconds()/elapsed.Seconds(), runtime.NumCPU())
	return nil
}

func parse(arg string) (*server, error) {
	name, rest, ok := strings.Cut(arg, "=")
	url, pid, _ := strings.Cut(rest, ",")
	if !ok {
		return nil, fmt.Errorf("%q is not NAME=URL[,PID]", arg)
	}
	s := &server{name: name, url: url}
	if pid != "" {
		n, err := strconv.Atoi(pid)
		if err != nil {
			return nil, fmt.Errorf("%q is no process id", pid)
		}
		s.pid = n
	}
	return s, nil
}

func (s *server) print() {
	slices.Sort(s.took)
	n := len(s.took)
	p50, p99 := s.took[n/2], s.took[n*99/100]
	cpu := "-"
	if s.pid > 0 {
		cpu = (s.cpu / time.Duration(n)).String()
	}
	fmt.Printf("%-28s %10.0f %12s %10s %10s %8.1f\n", s.name, float64(n)/s.elapsed.Seconds(), cpu, p50.Round(time.Microsecond), p99.Round(time.Microsecond), float64(p99)/float64(p50))
}

// turn calls the server for a while over all connections.
func (s *server) turn(d time.Duration, count bool) error {
	before := s.cpuTime()
	start := time.Now()
	results := make([][]time.Duration, *clients)
	errs := make([]error, *clients)
	transport := &http.Transport{MaxIdleConnsPerHost: *clients}
	defer transport.CloseIdleConnections()
	var wg sync.WaitGroup
	for i := range *clients {
		wg.Go(func() {
			for time.Since(start) < d && errs[i] == nil {
				at := time.Now()
				errs[i] = s.call(transport)
				results[i] = append(results[i], time.Since(at))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	if count {
		s.elapsed += time.Since(start)
		s.cpu += s.cpuTime() - before
		s.took = append(s.took, slices.Concat(results...)...)
	}
	return nil
}

func (s *server) call(t *http.Transport) error {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_publisher","arguments":{"site_id":"` + *site +
		`"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}`
	req, err := http.NewRequest("POST", s.url, strings.NewReader(body))
	if err != nil {
		return err
	}
	for _, h := range [][2]string{
		{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"},
		{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "get_publisher"},
	} {
		req.Header.Set(h[0], h[1])
	}
	if *front {
		n := s.sent.Add(1)
		req.Header.Set("X-Real-IP", fmt.Sprintf("10.%d.%d.%d", byte(n>>16), byte(n>>8), byte(n)))
	}
	resp, err := t.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != 200 || !bytes.Contains(got, []byte(`"structuredContent":{`)) || bytes.Contains(got, []byte(`"isError":true`)) {
		return fmt.Errorf("answered %d %.200s", resp.StatusCode, got)
	}
	return nil
}

// cpuTime returns the CPU time of the server's process, in user and system
// mode.
func (s *server) cpuTime() time.Duration {
	if s.pid == 0 {
		return 0
	}
	return processTime(strconv.Itoa(s.pid))
}

// ownTime returns the CPU time of the servers and of this process.
func ownTime(servers []*server) time.Duration {
	t := processTime("self")
	for _, s := range servers {
		t += s.cpuTime()
	}
	return t
}

// machineTime returns the CPU time of all processes: all that is neither idle
// nor waiting.
func machineTime() time.Duration {
	b, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(b), "\n")
	var t int64
	for i, word := range strings.Fields(line) {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && i != 4 && i != 5 && i < 9 {
			t += n
		}
	}
	return time.Duration(t) * 10 * time.Millisecond
}

func processTime(pid string) time.Duration {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ") // the name may contain spaces
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(f[11], 10, 64)
	system, _ := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond // Linux counts in hundredths
}
