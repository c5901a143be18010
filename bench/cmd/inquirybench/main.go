// Command inquirybench measures the partner API: how many licence requests and
// how many reads it answers in a second, how long they take, and whether wrong
// keys take longer the more characters they share with a right one.
//
// Without --url it starts a native server over a fresh SQLite store. With --url
// it measures that server, which must know the key of --key and the publisher
// of --site, and must allow the calls. With --served it does both and compares
// them (make bench-licensing).
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

type options struct {
	url, key, site   string
	seconds, clients int
	timing           int
}

func run(args []string, out io.Writer) error {
	var o options
	served := false
	flags := flag.NewFlagSet("inquirybench", flag.ContinueOnError)
	flags.StringVar(&o.url, "url", "", "base URL of a server to ask")
	flags.StringVar(&o.key, "key", "", "partner key that the server knows")
	flags.StringVar(&o.site, "site", "bench-site", "publisher that the server knows")
	flags.IntVar(&o.seconds, "seconds", 60, "how long to send in all, to each server")
	flags.IntVar(&o.clients, "clients", 16, "how many clients at once")
	flags.IntVar(&o.timing, "timing", 400, "calls for each wrong key; 0 leaves the timing out")
	flags.BoolVar(&served, "served", false, "measure natively, then the demo that $BASE and $DEMO name, and compare")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !served {
		_, err := measure(out, o)
		return err
	}
	fmt.Fprintln(out, "natively, SQLite")
	native, err := measure(out, o)
	if err != nil {
		return err
	}
	if err := o.fromDemo(os.Getenv("BASE"), os.Getenv("DEMO")); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nunder workerd, D1")
	edge, err := measure(out, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nnative for one at the edge: POST %.1f, GET %.1f\n", native[0]/edge[0], native[1]/edge[1])
	return nil
}

// fromDemo takes address, key and publisher from a demo that is being served.
func (o *options) fromDemo(base, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("$DEMO: %w; run through tools/edge/with-served.sh", err)
	}
	var demo struct {
		PartnerKeys map[string]string `json:"partner_keys"`
	}
	if err := json.Unmarshal(data, &demo); err != nil {
		return err
	}
	o.url, o.key, o.site = base, demo.PartnerKeys["full"], "harbor-ledger"
	return nil
}

// measure prints the figures of one server and returns its POST and GET calls
// per second.
func measure(out io.Writer, o options) (rates [2]float64, err error) {
	if o.url == "" {
		stop, err := serveNatively(&o)
		if err != nil {
			return rates, err
		}
		defer stop()
	}
	b := bench{options: o, client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: o.clients}}}
	half := time.Duration(o.seconds) * time.Second / 2
	post, ids := b.measure(half, b.post)
	fmt.Fprintln(out, post.line("POST /v1/partner/licensing/requests"))
	if len(ids) == 0 {
		return rates, fmt.Errorf("no request was created: %s", post.firstFault)
	}
	get, _ := b.measure(half, func(n int64) (int, string, error) {
		return b.call("GET", "/v1/partner/licensing/requests/"+ids[int(n)%len(ids)], o.key, "", "")
	})
	fmt.Fprintln(out, get.line("GET  /v1/partner/licensing/requests/{id}"))
	if o.timing > 0 {
		b.timings(out)
	}
	if post.faults+get.faults > 0 {
		return rates, fmt.Errorf("%d calls failed, the first with %s%s", post.faults+get.faults, post.firstFault, get.firstFault)
	}
	return [2]float64{post.rate(), get.rate()}, nil
}

type bench struct {
	options
	client *http.Client
}

// call makes one call and returns its status, and the id in the answer of a
// new request.
func (b *bench) call(method, path, key, idempotency, body string) (status int, id string, err error) {
	req, err := http.NewRequestWithContext(context.Background(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", idempotency)
	}
	res, err := b.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	location := res.Header.Get("Location")
	return res.StatusCode, location[strings.LastIndexByte(location, '/')+1:], err
}

func (b *bench) post(n int64) (int, string, error) {
	mark := strconv.FormatInt(time.Now().UnixNano(), 36) + "-" + strconv.FormatInt(n, 36)
	return b.call("POST", "/v1/partner/licensing/requests", b.key, mark, `{"site_id":"`+b.site+`","buyer_name":"Bench","buyer_email":"bench@example.org","intended_use":"Grounding of answers `+mark+`","requested_scope":"/shipping/*","message":"We would like to ground answers on your tide tables."}`)
}

// result holds the measurements of one kind of call.
type result struct {
	took       []time.Duration
	elapsed    time.Duration
	faults     int
	firstFault string
}

func (r *result) line(name string) string {
	sort.Slice(r.took, func(i, j int) bool { return r.took[i] < r.took[j] })
	return fmt.Sprintf("%-42s %8.0f/s   p50 %7.2f ms   p99 %7.2f ms   %d calls, %d errors",
		name, r.rate(), ms(at(r.took, 50)), ms(at(r.took, 99)), len(r.took), r.faults)
}

// rate returns calls per second.
func (r *result) rate() float64 { return float64(len(r.took)) / r.elapsed.Seconds() }

func at(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure calls send with all clients for a while.
func (b *bench) measure(span time.Duration, send func(n int64) (int, string, error)) (result, []string) {
	var mu sync.Mutex
	var r result
	var ids []string
	var next atomic.Int64
	var group sync.WaitGroup
	begin := time.Now()
	for range b.clients {
		group.Go(func() {
			for time.Since(begin) < span {
				from := time.Now()
				status, id, err := send(next.Add(1))
				took := time.Since(from)
				mu.Lock()
				r.took = append(r.took, took)
				if err != nil || status > 299 {
					if r.faults++; r.faults == 1 {
						r.firstFault = fmt.Sprint(status, " ", err)
					}
				} else if id != "" {
					ids = append(ids, id)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	r.elapsed = time.Since(begin)
	return r, ids
}

// timings sends wrong keys that share more and more characters with the right
// one, alternately, so that other work on the machine affects all of them
// alike.
func (b *bench) timings(out io.Writer) {
	shared := []int{0, len("ptk_live_"), len("ptk_live_") + 8, len("ptk_live_") + 21, len(b.key) - 1}
	took := make([][]time.Duration, len(shared))
	for range b.timing {
		for i, n := range shared {
			from := time.Now()
			if status, _, err := b.call("GET", "/v1/partner/status", wrong(b.key, n), "", ""); err == nil && status == http.StatusUnauthorized {
				took[i] = append(took[i], time.Since(from))
			}
		}
	}
	for i, n := range shared {
		sort.Slice(took[i], func(x, y int) bool { return took[i][x] < took[i][y] })
		fmt.Fprintf(out, "wrong key sharing %2d characters              p25 %7.3f ms   p50 %7.3f ms   p75 %7.3f ms   %d calls\n",
			n, ms(at(took[i], 25)), ms(at(took[i], 50)), ms(at(took[i], 75)), len(took[i]))
	}
}

// wrong keeps the first n characters of a key and changes all others.
func wrong(key string, n int) string {
	b := []byte(key)
	for i := n; i < len(b); i++ {
		if b[i] == 'x' {
			b[i] = 'y'
		} else {
			b[i] = 'x'
		}
	}
	return string(b)
}
