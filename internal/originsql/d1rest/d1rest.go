// Package d1rest accesses a D1 database over Cloudflare's HTTP API, so that the
// command line can use an origin that is stored there:
//
//	store := originsql.Over(&d1rest.Database{URL: …, Token: …})
//
// A statement is posted to URL + "/raw" as {"sql": "…", "params": ["…"]} and
// answered with columns and rows. The API accepts only texts as parameters, so
// numbers, blobs and nulls are written into the statement in place of their
// marks (see literalSQL).
//
// Each statement is its own transaction, as it is for the worker.
package d1rest

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// API is the address of Cloudflare's API.
const API = "https://api.cloudflare.com/client/v4"

// maxAnswer bounds how many bytes of an answer are read.
const maxAnswer = 256 << 20

// The API accepts 1,200 requests in five minutes, and then refuses all requests
// for the rest of them. The client waits as long as the API's Retry-After says,
// up to that time.
const (
	maxTries = 8
	maxWait  = 5 * time.Minute
)

// Database is a D1 database, as a driver.Connector for originsql.Over.
type Database struct {
	URL    string // "…/d1/database/<id>", without a final slash
	Token  string // API token that may edit D1; "" sends none
	Client *retryablehttp.Client
}

// New returns the database at url.
func New(url, token string) *Database {
	return &Database{URL: strings.TrimSuffix(url, "/"), Token: token, Client: newClient()}
}

// Address returns the URL of a database named by account and database id.
func Address(account, database string) string {
	return API + "/accounts/" + account + "/d1/database/" + database
}

// newClient returns a client that repeats only requests that the API says it
// did not execute, because a statement may have run although its answer was
// lost.
func newClient() *retryablehttp.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax = maxTries - 1
	c.RetryWaitMin = time.Second
	c.RetryWaitMax = 30 * time.Second
	c.Backoff = func(least, most time.Duration, attempt int, res *http.Response) time.Duration {
		return min(retryablehttp.DefaultBackoff(least, most, attempt, res), maxWait)
	}
	c.HTTPClient.Timeout = 60 * time.Second
	c.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.ErrorHandler = retryablehttp.PassthroughErrorHandler
	c.CheckRetry = func(ctx context.Context, res *http.Response, _ error) (bool, error) {
		return ctx.Err() == nil && res != nil && res.StatusCode == http.StatusTooManyRequests, ctx.Err()
	}
	return c
}

// Connect returns the database itself, because HTTP needs no connection of its own.
func (d *Database) Connect(context.Context) (driver.Conn, error) { return conn{d}, nil }

// Driver returns nil: the connector is used alone.
func (d *Database) Driver() driver.Driver { return nil }

type request struct {
	SQL    string   `json:"sql"`
	Params []string `json:"params"`
}

type answer struct {
	Success bool `json:"success"`
	Errors  []struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
	Result []struct {
		Success bool    `json:"success"`
		Error   string  `json:"error"`
		Results results `json:"results"`
	} `json:"result"`
}

type results struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// Statement is one statement of a batch.
type Statement struct {
	SQL  string
	Args []any // string, int64, float64, []byte or nil
}

// Batch runs statements in one request and returns the rows of each. D1 runs
// them as one transaction; wrangler's emulation runs one after another.
func (d *Database) Batch(ctx context.Context, list []Statement) ([][][]any, error) {
	requests := make([]request, len(list))
	for i, s := range list {
		requests[i] = inlineMarks(s.SQL, namedValues(s.Args))
	}
	found, err := d.postStatements(ctx, struct {
		Batch []request `json:"batch"`
	}{requests}, len(list))
	if err != nil {
		return nil, err
	}
	out := make([][][]any, len(found))
	for i := range found {
		if err := found[i].convertCells(); err != nil {
			return nil, err
		}
		out[i] = found[i].Rows
	}
	return out, nil
}

func namedValues(args []any) []driver.NamedValue {
	named := make([]driver.NamedValue, len(args))
	for i, a := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return named
}

// runStatement runs one statement.
func (d *Database) runStatement(ctx context.Context, text string, args []driver.NamedValue) (results, error) {
	found, err := d.postStatements(ctx, inlineMarks(text, args), 1)
	if err != nil {
		return results{}, err
	}
	return found[0], nil
}

// postStatements sends a body with n statements, and returns their results.
func (d *Database) postStatements(ctx context.Context, what any, n int) ([]results, error) {
	body, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, d.URL+"/raw", body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if d.Token != "" {
		req.Header.Set("Authorization", "Bearer "+d.Token)
	}
	res, err := d.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("d1: %w", err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("d1: the answer broke off: %w", err)
	}
	return parseResults(res.StatusCode, raw, n)
}

// parseResults parses the answer to n statements. Numbers stay as they are
// written.
func parseResults(status int, raw []byte, n int) ([]results, error) {
	var a answer
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&a); err != nil {
		return nil, fmt.Errorf("d1: answered %d, and no JSON: %.200q", status, raw)
	}
	if len(a.Errors) > 0 {
		return nil, fmt.Errorf("d1: answered %d: %s (code %d)", status, a.Errors[0].Message, a.Errors[0].Code)
	}
	found := make([]results, len(a.Result))
	for i, r := range a.Result {
		if r.Error != "" {
			return nil, errors.New("d1: " + r.Error)
		}
		found[i] = r.Results
	}
	if status != http.StatusOK || !a.Success || len(found) != n {
		return nil, fmt.Errorf("d1: answered %d with %d results", status, len(found))
	}
	return found, nil
}
