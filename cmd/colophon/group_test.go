package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/cli/serving"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/worker"
	"colophon/worker/edgehttp"
)

const (
	houseFile = `{"colophon_publisher": "1", "name": "Tideway", "legal_name": "Tideway Press B.V.", "hosts": ["site.example"],
	  "preferences": [{"use": "rag", "declared": "disallow", "inquiry": "welcome"}, {"use": "training", "declared": "disallow", "inquiry": "not_offered"}],
	  "rights_holder": {"name": "Tideway Press B.V."}}`
	memberFile = `{"colophon_publisher": "1", "name": "Site of Example", "policy_of": "https://house.example/.well-known/colophon-publisher.json",
	  "preferences": [{"use": "training", "declared": "disallow", "inquiry": "welcome"}]}`
)

// withWorker runs calls against the worker of the built registry.
func (w *webWorld) withWorker(do func(base string)) { w.withDeps(func(*worker.Deps) {}, do) }

// withoutOrigin runs calls against a worker whose origin is out of reach.
func (w *webWorld) withoutOrigin(do func(base string)) {
	w.withDeps(func(d *worker.Deps) { d.Origin = nil }, do)
}

func (w *webWorld) withDeps(change func(*worker.Deps), do func(base string)) {
	w.t.Helper()
	e := &cli.Env{Dir: registrydir.Dir{Path: w.dir, Getenv: emptyEnvironment}}
	s, err := e.ReadSettings()
	must(w.t, err)
	err = e.WithStore(context.Background(), func(store *originsql.Store) error {
		deps, err := serving.WorkerDeps(e, s, filepath.Join(w.dir, "dist"), store)
		if err != nil {
			return err
		}
		change(&deps)
		srv := httptest.NewServer(edgehttp.New(worker.New(deps), edgehttp.Options{}))
		defer srv.Close()
		do(srv.URL)
		return nil
	})
	must(w.t, err)
}

func fetchText(t *testing.T, res *http.Response, err error) string {
	t.Helper()
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return string(body)
}

type publisherRecord struct {
	PublisherID string `json:"publisher_id"`
	Group       *struct {
		GroupID string `json:"group_id"`
		Name    string `json:"name"`
	} `json:"group"`
	Preferences []struct {
		Use     string `json:"use"`
		Inquiry string `json:"inquiry"`
	} `json:"preference_signals"`
}

func (w *webWorld) publisherOf(siteID string) (r publisherRecord, inquiry map[string]string) {
	w.t.Helper()
	must(w.t, json.Unmarshal([]byte(w.published("v1/licensing-marketplace/publishers/"+siteID+".json")), &r))
	inquiry = map[string]string{}
	for _, p := range r.Preferences {
		inquiry[p.Use] = p.Inquiry
	}
	return r, inquiry
}

// TestGroupByFiles lets a site join its house's group by the files of both,
// with its own file taking precedence over the house's; shows the group in the
// JSON, on the map and in one inbox; and lets the site leave again.
func TestGroupByFiles(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.put("house.example/.well-known/colophon-publisher.json", houseFile)
	w.put(ownFile, memberFile)
	w.must("publisher", "add", "https://house.example/")
	added := w.must("publisher", "add", "https://site.example/")
	assert.Contains(t, "the site did not join", added, "belongs to the group pub_house-example")
	w.must("publisher", "approve", "house-example")
	w.must("publisher", "approve", "site-example")
	w.must("build")

	r, inquiry := w.publisherOf("site-example")
	if r.PublisherID != "pub_house-example" || r.Group == nil || r.Group.GroupID != "pub_house-example" || r.Group.Name != "Tideway Press B.V." {
		t.Errorf("the record of the site is %+v", r)
	}
	if inquiry["rag"] != "welcome" || inquiry["training"] != "welcome" {
		t.Errorf("the site states %v: the house's word for rag, its own for training", inquiry)
	}
	if house, stated := w.publisherOf("house-example"); house.Group == nil || stated["training"] != "not_offered" {
		t.Errorf("the house is %+v, %v", house, stated)
	}
	assert.Contains(t, "the map's record does not name the group", w.published("v1/public/ai-rights-map/publishers/site-example.json"), `"group":{"group_id":"pub_house-example"`)
	page := w.published("rights-map/index.html")
	line, first, second := strings.Index(page, "2 sites"), strings.LastIndex(page, "/publishers/house-example/"), strings.LastIndex(page, "/publishers/site-example/")
	if line < 0 || line > first || first > second {
		t.Errorf("on the map the line of the group is at %d, its sites at %d and %d", line, first, second)
	}
	if strings.Count(page, ">2 sites<") != 1 || !strings.Contains(page, "differs by site") {
		t.Errorf("the group has not one line, or does not tell that its sites differ:\n%s", page[max(0, line-400):min(len(page), line+2500)])
	}
	w.must("verify", filepath.Join(w.dir, "dist"))
	w.checkGroupFound()

	w.checkGroupInbox()

	w.put(ownFile, strings.Replace(memberFile, `"policy_of"`, `"x_policy_of"`, 1))
	assert.Contains(t, "without policy_of the site stays", w.must("refresh", "site-example"), "left the group")
	w.must("build")
	if r, inquiry := w.publisherOf("site-example"); r.Group != nil || r.PublisherID != "pub_site-example" || inquiry["rag"] != "unstated" {
		t.Errorf("after it left the record is %+v, %v", r, inquiry)
	}
}

// checkGroupInbox sends a request to both sites, and requires both in the
// group's inbox and one in a site's.
func (w *webWorld) checkGroupInbox() {
	t := w.t
	t.Helper()
	link := func(args ...string) string {
		out := strings.Fields(w.must(args...))
		u, err := url.Parse(out[len(out)-1])
		if err != nil {
			t.Fatal(err)
		}
		return u.Path
	}
	group, site := link("group", "inbox-link", "pub_house-example"), link("publisher", "inbox-link", "house-example")
	w.withWorker(func(base string) {
		for _, id := range []string{"house-example", "site-example"} {
			body := `{"site_id":"` + id + `","requester_name":"Reader of ` + id + `","requester_email":"r@example.org","intended_use":"Grounding of answers","requested_scope":"All of the site","message":"We would like to ground answers on what you publish."}`
			res, err := http.Post(base+"/v1/public/licensing-request", "application/json", bytes.NewReader([]byte(body)))
			if text := fetchText(t, res, err); res.StatusCode >= 300 {
				t.Fatalf("a request to %s: %s", id, text)
			}
		}
		get := func(path string) string {
			res, err := http.Get(base + path)
			return fetchText(t, res, err)
		}
		if page := get(group); !strings.Contains(page, "Reader of house-example") || !strings.Contains(page, "Reader of site-example") || !strings.Contains(page, ">Site<") || !strings.Contains(page, ">Inbox of the group Tideway Press B.V.</h1>") {
			t.Errorf("the inbox of the group shows\n%s", page)
		}
		page := get(site)
		if !strings.Contains(page, "Reader of house-example") || strings.Contains(page, "Reader of site-example") {
			t.Errorf("the inbox of one site shows\n%s", page)
		}
		_, rest, _ := strings.Cut(get(group), `href="`+group+"/")
		request, _, _ := strings.Cut(rest, `"`)
		if open := get(group + "/" + request); !strings.Contains(open, "Grounding of answers") {
			t.Errorf("a request does not open in the inbox of the group:\n%s", open)
		}
	})
}

// checkGroupFound finds both sites on the map by the name of their group, and
// reads it in the CSV.
func (w *webWorld) checkGroupFound() {
	t := w.t
	t.Helper()
	found := w.askWorker("/v1/public/ai-rights-map?q=tideway+press")
	if !strings.Contains(found, `"site_id":"house-example"`) || !strings.Contains(found, `"site_id":"site-example"`) {
		t.Errorf("by the name of the group the map finds\n%s", found)
	}
	rows, err := csv.NewReader(strings.NewReader(w.published("v1/public/ai-rights-map.csv"))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("the CSV has %d rows, %v", len(rows), err)
	}
	last := len(rows[0]) - 1
	if rows[0][last-1] != "group_id" || rows[0][last] != "group" {
		t.Errorf("the CSV ends with %v", rows[0][last-1:])
	}
	for _, row := range rows[1:] {
		if row[last-1] != "pub_house-example" || row[last] != "Tideway Press B.V." {
			t.Errorf("the row of %s has the group %v", row[0], row[last-1:])
		}
	}
}
