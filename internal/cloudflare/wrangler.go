package cloudflare

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"colophon/exports"
	"colophon/internal/pause"
	"colophon/internal/usage"
)

// wrangler is Cloudflare's command, and how to run it.
type wrangler struct {
	program string
	env     []string
}

// errNotThere is returned if wrangler answers that what was asked for does not
// exist.
var errNotThere = errors.New("does not exist")

// findWrangler looks for wrangler in node_modules of a folder, where its Node.js
// is as well, and then on the PATH.
func findWrangler(root string) (wrangler, error) {
	bin, err := filepath.Abs(filepath.Join(root, "node_modules", ".bin"))
	if err != nil {
		return wrangler{}, err
	}
	path := bin + string(os.PathListSeparator) + os.Getenv("PATH")
	env := append(os.Environ(), "PATH="+path, "CI=1", "NO_COLOR=1", "WRANGLER_SEND_METRICS=false", "WRANGLER_SEND_ERROR_REPORTS=false", "WRANGLER_HIDE_BANNER=true", "CLOUDFLARE_CF_FETCH_ENABLED=false")
	own := filepath.Join(bin, "wrangler")
	if _, err := os.Stat(own); err == nil {
		return wrangler{own, env}, nil
	}
	found, err := exec.LookPath("wrangler")
	if err != nil {
		return wrangler{}, fmt.Errorf("there is no wrangler in %s and none on the PATH: run \"make edge\", or install it with npm", bin)
	}
	return wrangler{found, env}, nil
}

// runCommand runs wrangler and returns its output. An error contains the last
// lines of the output.
func (w wrangler) runCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, w.program, args...)
	var out, errs bytes.Buffer
	cmd.Env = w.env
	cmd.Stdout = &out
	cmd.Stderr = &errs
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	told := strings.TrimSpace(errs.String() + "\n" + out.String())
	for _, sign := range []string{"code: 10006", "code: 10007", "code: 10092", "does not exist", "not found"} { // no such bucket, worker or database
		if strings.Contains(told, sign) {
			err = errNotThere
		}
	}
	return "", fmt.Errorf("wrangler %s: %w\n%s", strings.Join(args, " "), err, lastLines(told, 12))
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// startServer runs wrangler as a server until stop is called.
func (w wrangler) startServer(ctx context.Context, log io.Writer, args ...string) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, w.program, args...)
	cmd.Env = w.env
	cmd.Stdout = log
	cmd.Stderr = log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	return func() {
		cancel()
		_ = cmd.Wait() // it was asked to end
	}, nil
}

// patience is how long a deployed service may take to answer with its release.
var patience = 2 * time.Minute

// smokeTest asks the deployed service for its release, for a rights check,
// which the origin must answer, and for an inquiry that stores nothing.
func (d *deployment) smokeTest(ctx context.Context) (string, error) {
	if d.DryRun {
		return fmt.Sprintf("GET %s and %s, POST %s at %s", exports.PathStats, exports.PathRightsCheck, exports.PathPrepare, d.serviceURL()), nil
	}
	if d.Local {
		stop, err := d.serveLocally(ctx)
		if err != nil {
			return "", err
		}
		defer stop()
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := d.awaitRelease(ctx); err != nil {
		if published := d.worker.bucket(publishedBinding); published != "" {
			err = fmt.Errorf("%w; publish it with \"colophon publish --to s3://%s\"", err, published)
		}
		return "", err
	}
	return d.askServed(ctx)
}

func (d *deployment) serveLocally(ctx context.Context) (stop func(), err error) {
	host, port, err := net.SplitHostPort(d.Addr)
	if err != nil {
		return nil, usage.Errorf("--addr: %v", err)
	}
	log, err := os.OpenFile(filepath.Join(d.work, "wrangler.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	end, err := d.wrangler.startServer(ctx, log, "dev", "--local", "--config", d.configFile(), "--persist-to", d.work, "--ip", host, "--port", port, "--inspector-port", "0")
	if err != nil {
		log.Close()
		return nil, err
	}
	return func() { end(); log.Close() }, nil
}

// awaitRelease asks until the service shows the release that was deployed.
func (d *deployment) awaitRelease(ctx context.Context) error {
	for {
		var stats struct{ Release string }
		err := d.requestJSON(ctx, "GET", exports.PathStats, "", &stats)
		if err == nil && stats.Release == d.release {
			return nil
		}
		if pause.For(ctx, 500*time.Millisecond) != nil {
			return fmt.Errorf("%s does not show release %s (it shows %q, %v); run deploy again", d.serviceURL(), d.release, stats.Release, err)
		}
	}
}

func (d *deployment) askServed(ctx context.Context) (string, error) {
	var publishers struct {
		Data []struct {
			SiteID  string `json:"site_id"`
			SiteURL string `json:"site_url"`
		}
	}
	if err := d.requestJSON(ctx, "GET", exports.PathPublishers, "", &publishers); err != nil {
		return "", err
	}
	if len(publishers.Data) == 0 {
		return "the release is shown; there is no publisher to ask about", nil
	}
	site := publishers.Data[0].SiteID
	var answer struct {
		AnsweredBy string `json:"answered_by"`
	}
	if err := d.requestJSON(ctx, "GET", exports.PathRightsCheck+"?site_id="+site, "", &answer); err != nil {
		return "", err
	}
	if answer.AnsweredBy != "origin" {
		return "", fmt.Errorf("rights are answered by %q: the worker does not reach its database; look at its binding in wrangler.toml", answer.AnsweredBy)
	}
	var run struct{}
	if err := d.requestJSON(ctx, "POST", "/v1/public/developer/sandbox/run", `{"example":"rights_check"}`, &run); err != nil {
		return "", err
	}
	return fmt.Sprintf("the release is shown, and the origin answers for %s", site), nil
}

// requestJSON makes one call of the deployed service and reads its JSON.
func (d *deployment) requestJSON(ctx context.Context, method, path, body string, v any) error {
	req, err := http.NewRequestWithContext(ctx, method, d.serviceURL()+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	if err != nil {
		return err
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s answered %d: %.200s", method, path, res.StatusCode, data)
	}
	return json.Unmarshal(data, v)
}
