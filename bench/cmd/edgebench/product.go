package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/originsql/d1test"
	"colophon/worker/edgelab/labhost"
)

// The sides of measureProduct: the product as worker/edgelab runs it, and two
// workers of bench/hono over the same origin and files.
const (
	productSide = "product"
	honoSide    = "hono"
	plainSide   = "plain"
)

// productCase is a path that is requested from the product and from one other
// side.
type productCase struct {
	name, target, beside string
	most                 float64 // target: at most this ratio of the other side's time
}

// measureProduct measures the product beside other workers, alternately, over
// the demo in a folder (colophon demo --no-serve): its origin and its published
// files.
func measureProduct(ctx context.Context, w io.Writer, dir, demo string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(demo, "origin.db")+"?_pragma=busy_timeout(20000)")
	if err != nil {
		return err
	}
	defer db.Close()
	var entry string
	const recorded = "SELECT p.entry_id FROM pages p JOIN records r ON r.entry_id = p.entry_id WHERE p.state = 'active' ORDER BY p.entry_id LIMIT 1"
	if err := db.QueryRowContext(ctx, recorded).Scan(&entry); err != nil {
		return fmt.Errorf("a page with a record in %s: %w", demo, err)
	}
	origin := httptest.NewServer(d1test.NewBinding(db))
	defer origin.Close()
	sides, err := startProduct(ctx, dir, demo, origin.Listener.Addr().String())
	defer sides.stop()
	if err != nil {
		return err
	}
	cases := []productCase{
		{"rights check", "/v1/public/rights/check?entry_id=" + entry, honoSide, 1.5},
		{"citation", "/v1/public/citations/" + entry, plainSide, 1.3},
		{"record", "/v1/public/contentdna-provenance/" + entry, plainSide, 1.3},
	}
	for _, c := range cases {
		if err := answersAlike(sides, c, entry); err != nil {
			return err
		}
	}
	return compareProduct(ctx, w, sides, cases)
}

func startProduct(ctx context.Context, dir, demo, origin string) (*sides, error) {
	s := &sides{}
	bodies := filepath.Join(dir, "bodies")
	if err := os.Mkdir(bodies, 0o700); err != nil {
		return s, err
	}
	files := map[string]string{"dist": filepath.Join(demo, "dist")}
	for _, c := range []struct{ name, file, config string }{
		{productSide, "worker/edgelab/product.capnp", "config"},
		{honoSide, "bench/hono/workerd.capnp", "hono"},
		{plainSide, "bench/hono/workerd.capnp", "plain"},
	} {
		logs := filepath.Join(dir, c.name)
		if err := os.Mkdir(logs, 0o700); err != nil {
			return s, err
		}
		address, err := labhost.FreeAddress()
		if err != nil {
			return s, err
		}
		w := labhost.Workerd{
			File: c.file, Config: c.config, Ready: "/v1/public/network-stats",
			Listen: map[string]string{"http": address}, Remote: map[string]string{"origin": origin}, Files: files,
		}
		if c.name == productSide {
			w.Files = map[string]string{"dist": files["dist"], "bodies": bodies}
			w.Env = []string{"BASE_URL=http://" + address, "RATE_LIMITS=rights=100000000"}
		}
		host, err := w.Start(ctx, logs)
		if err != nil {
			return s, err
		}
		s.ending = append(s.ending, func() { _ = host.Stop() })
		s.list = append(s.list, side{c.name, host})
	}
	return s, nil
}

// answersAlike checks that both sides of a case answer about the entry.
func answersAlike(s *sides, c productCase, entry string) error {
	for _, name := range []string{productSide, c.beside} {
		client, err := dial(s.get(name).host.Address())
		if err != nil {
			return err
		}
		status, _, err := client.do(request(c.target))
		_ = client.conn.Close()
		if err != nil {
			return err
		}
		if status != 200 || !bytes.Contains(client.body, []byte(entry)) {
			return fmt.Errorf("%s of %s: %d %.200s", c.name, name, status, client.body)
		}
	}
	return nil
}

// compareProduct measures each case on its two sides alternately. Beside the
// median with one connection it prints the CPU time of the worker's process per
// request, which other work on the machine disturbs less.
func compareProduct(ctx context.Context, w io.Writer, s *sides, cases []productCase) error {
	fmt.Fprintf(w, "%-13s %-8s %11s %11s %11s\n", "case", "worker", "p50 c=1", "CPU/request", "rps c=16")
	type line struct {
		name       string
		ratio, cpu float64
		most       float64
	}
	var lines []line
	for _, c := range cases {
		all := map[string]result{}
		many := map[string]result{}
		spent := map[string]time.Duration{}
		for round := range rounds {
			order := []string{productSide, c.beside}
			if round%2 == 1 {
				order = []string{c.beside, productSide}
			}
			for _, name := range order {
				time.Sleep(rest)
				host := s.get(name).host
				before := processorTime(host.PID())
				r, err := load(ctx, host.Address(), request(c.target), 200, 1, roundTime)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				spent[name] += processorTime(host.PID()) - before
				all[name] = r.and(all[name])
			}
			for _, name := range order {
				time.Sleep(rest)
				r, err := load(ctx, s.get(name).host.Address(), request(c.target), 200, 16, roundTime)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				many[name] = r.and(many[name])
			}
		}
		cpu := map[string]time.Duration{}
		for _, name := range []string{productSide, c.beside} {
			cpu[name] = spent[name] / time.Duration(len(all[name].times))
			fmt.Fprintf(w, "%-13s %-8s %11s %11s %11.0f\n", c.name, name, micro(all[name].p50()), micro(cpu[name]), many[name].rate())
		}
		product, other := all[productSide], all[c.beside]
		lines = append(lines, line{c.name + ", over " + c.beside, float64(product.p50()) / float64(other.p50()), float64(cpu[productSide]) / float64(cpu[c.beside]), c.most})
	}
	fmt.Fprintf(w, "\n%-52s %8s %8s\n", "ratio", "reached", "target")
	for _, l := range lines {
		row(w, "p50 of a "+l.name, l.ratio, l.most, false)
		row(w, "processor time of a "+l.name, l.cpu, l.most, false)
	}
	return nil
}

// processorTime returns the CPU time of a process, in steps of 10 ms. Other
// work on the machine hardly changes it.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(text, []byte(") ")) // the name may contain spaces
	fields := bytes.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * 10 * time.Millisecond
}
