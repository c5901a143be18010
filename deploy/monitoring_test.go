package deploy

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"colophon/internal/assert"
	"colophon/internal/originsql/local"
	"colophon/internal/server"
	"colophon/worker/edge"
)

var must = assert.NoError

// watched is one expression of the dashboard or of an alert.
type watched struct{ name, expr string }

// dashboard returns the queries of the panels, with variables replaced by
// values as Grafana would.
func dashboard(t *testing.T) []watched {
	t.Helper()
	var d struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name string }
		}
	}
	must(t, json.Unmarshal([]byte(read(t, "grafana-dashboard.json")), &d))
	var variables []string
	for _, v := range d.Templating.List {
		variables = append(variables, v.Name)
	}
	assert.EqualSlices(t, variables, []string{"datasource", "job", "instance"}, "the dashboard has the variables")
	var all []watched
	ids := map[int]bool{}
	for _, p := range d.Panels {
		if ids[p.ID] {
			t.Errorf("two panels have the id %d", p.ID)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			expr := strings.NewReplacer("$__rate_interval", "1m", "$job", "colophon", "$instance", ".+").Replace(target.Expr)
			assert.Lacks(t, p.Title+" has a variable that is not defined", expr, "$")
			all = append(all, watched{p.Title, expr})
		}
	}
	return all
}

// alerts returns the expressions of the alerts.
func alerts(t *testing.T) []watched {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	must(t, yaml.Unmarshal([]byte(read(t, "prometheus-rules.yml")), &file))
	var all []watched
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			all = append(all, watched{r.Alert, r.Expr})
		}
	}
	return all
}

// labels are the values that a metric has for each of its labels.
type labels map[string][]string

var (
	sample  = regexp.MustCompile(`(?m)^([a-z_]+)(?:\{(.*)\})? \S+$`)
	matcher = regexp.MustCompile(`(\w+)(=~|!~|!=|=)"([^"]*)"`)
	queried = regexp.MustCompile(`\b((?:colophon|go|process)_\w+|up)\b(?:\{([^}]*)\})?`)
	history = regexp.MustCompile(`series: '([a-z_]+)\{(.*)\}'`)
)

// realMetrics returns the metrics of a server that has answered a request.
func realMetrics(t *testing.T) map[string]labels {
	t.Helper()
	refusing := local.NewGate(noDriver{}, errors.New("there is no database"))
	s, err := server.New(server.Options{BaseURL: "https://registry.example", DB: sql.OpenDB(refusing), Handler: func(context.Context, *edge.Request) *edge.Response {
		return &edge.Response{Status: 200}
	}})
	must(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	get(t, "http://"+l.Addr().String()+"/v1/public/rights/check?url=x")
	cancel() // the request is counted before the server ends
	must(t, <-ended)
	w := httptest.NewRecorder()
	s.AdminHandler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))

	// Prometheus adds these.
	metrics := map[string]labels{"up": {"job": {"colophon"}, "instance": {"a"}}}
	for _, m := range sample.FindAllStringSubmatch(w.Body.String(), -1) {
		if metrics[m[1]] == nil {
			metrics[m[1]] = labels{"job": {"colophon"}, "instance": {"a"}}
		}
		for _, label := range matcher.FindAllStringSubmatch(m[2], -1) {
			metrics[m[1]][label[1]] = append(metrics[m[1]][label[1]], label[3])
		}
	}
	if len(metrics) < 40 {
		t.Fatalf("%d metrics were found", len(metrics))
	}
	return metrics
}

type noDriver struct{ driver.Driver }

// TestMonitoringNamesRealMetrics checks that the dashboard, the alerts and
// their test histories name only metrics, labels and values that the server can
// have.
func TestMonitoringNamesRealMetrics(t *testing.T) {
	metrics := realMetrics(t)
	named := func(where, metric, selectors string) {
		known := metrics[metric]
		if known == nil {
			t.Errorf("%s names %s, which the server does not have", where, metric)
			return
		}
		for _, m := range matcher.FindAllStringSubmatch(selectors, -1) {
			label, operator, value := m[1], m[2], m[3]
			values, found := known[label]
			if label == "class" { // a metric of requests has only the classes that were requested
				values = metrics["colophon_requests_working"]["class"]
			}
			bounded := label == "class" || label == "db_name" || label == "job"
			switch {
			case !found:
				t.Errorf("%s names the label %s, which %s does not have", where, label, metric)
			case bounded && (operator == "=" || operator == "!=") && !slices.Contains(values, value):
				t.Errorf("%s queries %s for %s=%q; it has %q", where, metric, label, value, values)
			}
		}
	}
	all := append(dashboard(t), alerts(t)...)
	for _, w := range all {
		found := queried.FindAllStringSubmatch(w.expr, -1)
		if len(found) == 0 {
			t.Errorf("%s queries no metric: %s", w.name, w.expr)
		}
		for _, m := range found {
			if !strings.Contains(m[2], `job="colophon"`) {
				t.Errorf("%s queries %s of every job", w.name, m[1])
			}
			named(w.name, m[1], m[2])
		}
	}
	histories := history.FindAllStringSubmatch(read(t, "prometheus-rules.test.yml"), -1)
	for _, m := range histories {
		named("prometheus-rules.test.yml", m[1], m[2])
	}
	if len(all) < 30 || len(histories) < 20 {
		t.Errorf("%d expressions and %d histories were found", len(all), len(histories))
	}
}

// TestEveryAlertIsTried checks that each alert has a history that fires it and
// one that does not.
func TestEveryAlertIsTried(t *testing.T) {
	text := read(t, "prometheus-rules.test.yml")
	for _, w := range alerts(t) {
		if quiet := "alertname: " + w.name + ", exp_alerts: []"; !strings.Contains(text, quiet) {
			t.Errorf("%s has no history of a quiet server", w.name)
		}
		if fires := "alertname: " + w.name + "\n        exp_alerts:\n          - exp_labels:"; !strings.Contains(text, fires) {
			t.Errorf("%s has no history of a server in trouble", w.name)
		}
	}
}

func get(t *testing.T, address string) []byte {
	t.Helper()
	res, err := http.Get(address)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return body
}

// freeAddress returns a local address at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

// startProgram runs a program until the test ends.
func startProgram(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
		cmd.Wait()                       //nolint:errcheck // its log says more
		if t.Failed() {
			t.Logf("%s:\n%s", name, log.String())
		}
	})
}

// prometheusAnswer is the answer of Prometheus's API to a query, or the list of
// rules.
type prometheusAnswer struct {
	Status, Error string
	Data          struct {
		Result []any
		Groups []struct {
			Rules []struct{ Name, Health, LastError, State string }
		}
	}
}

// TestPrometheusWatches runs a real Prometheus, which checks the rules, replays
// their histories and watches a running server: every query of the dashboard
// must have an answer, and no alert may fire. Run it with "make test-deploy".
func TestPrometheusWatches(t *testing.T) {
	if os.Getenv("COLOPHON_DEPLOY") == "" {
		t.Skip("needs COLOPHON_DEPLOY: make test-deploy")
	}
	for _, args := range [][]string{{"check", "rules", "prometheus-rules.yml"}, {"test", "rules", "prometheus-rules.test.yml"}} {
		if out, err := exec.Command("promtool", args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}

	program, err := filepath.Abs("../bin/colophon") // built by "make test-deploy"
	must(t, err)
	dir := t.TempDir()
	for _, line := range []string{"init --base-url http://127.0.0.1:8787", "publisher add alpha --name A --site-url https://a.example/", "publisher approve alpha", "build"} {
		if out, err := exec.Command(program, append(strings.Fields(line), "--dir", dir)...).CombinedOutput(); err != nil {
			t.Fatalf("colophon %s: %v\n%s", line, err, out)
		}
	}
	service, admin, prometheus := freeAddress(t), freeAddress(t), freeAddress(t)
	startProgram(t, program, "serve", "--dir", dir, "--addr", service, "--admin-addr", admin)
	rules, err := filepath.Abs("prometheus-rules.yml")
	must(t, err)
	config := filepath.Join(t.TempDir(), "prometheus.yml")
	text := fmt.Sprintf("global: { scrape_interval: 1s, evaluation_interval: 1s }\nrule_files: [%s]\nscrape_configs:\n  - job_name: colophon\n    static_configs: [{ targets: [%q] }]\n", rules, admin)
	must(t, os.WriteFile(config, []byte(text), 0o600))
	startProgram(t, "prometheus", "--config.file="+config, "--storage.tsdb.path="+t.TempDir(), "--web.listen-address="+prometheus)

	ask := func(path string) (a prometheusAnswer, ok bool) {
		res, err := http.Get("http://" + prometheus + path)
		if err != nil {
			return a, false
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
			return a, false
		}
		return a, a.Status == "success"
	}
	// Each round sends a request to the service, so that there is traffic to
	// see.
	waitFor := func(what string, done func() bool) {
		for end := time.Now().Add(time.Minute); !done(); time.Sleep(200 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("waited in vain for %s", what)
				return
			}
			if res, err := http.Get("http://" + service + "/v1/public/network-stats"); err == nil {
				res.Body.Close()
			}
		}
	}
	for _, w := range dashboard(t) {
		waitFor(w.name+": "+w.expr, func() bool {
			a, ok := ask("/api/v1/query?query=" + url.QueryEscape(w.expr))
			return ok && len(a.Data.Result) > 0
		})
	}
	waitFor("the evaluation of the rules", func() bool {
		a, ok := ask("/api/v1/rules")
		return ok && len(a.Data.Groups) == 1 && !slices.ContainsFunc(a.Data.Groups[0].Rules, func(r struct{ Name, Health, LastError, State string }) bool { return r.Health == "unknown" })
	})
	a, _ := ask("/api/v1/rules")
	for _, g := range a.Data.Groups {
		for _, r := range g.Rules {
			if r.Health != "ok" || r.State != "inactive" {
				t.Errorf("%s is %s and %s: %s", r.Name, r.Health, r.State, r.LastError)
			}
		}
	}
}
