package publisherfile

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"colophon/internal/assert"
	"colophon/internal/wire"
)

var must = assert.NoError

// documented returns the file that the documentation shows.
func documented(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "site", "docs", "list-your-site.md"))
	must(t, err)
	m := regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindSubmatch(text)
	if m == nil {
		t.Fatal("the page shows no file")
	}
	return string(m[1])
}

func TestReadDocumented(t *testing.T) {
	r, err := Read([]byte(documented(t)))
	if err != nil || len(r.Unknown) != 0 {
		t.Fatal(err, r)
	}
	o := r.Offers[0]
	if r.Name != "Site of Example" || len(r.Preferences) != 3 || o.Payment.Amount != "1200" || o.Payment.Currency != "EUR" || o.Obligations.DisplayChars != 300 || o.Terms.Version != "1" {
		t.Errorf("read %+v", r.File)
	}
	again, err := Read(wire.Append(nil, &r.File))
	if err != nil || !bytes.Equal(wire.Append(nil, &again.File), wire.Append(nil, &r.File)) {
		t.Errorf("what is written again differs: %v", err)
	}
}

// TestPositions requires each error to be reported at the wrong value. The
// columns were counted by hand.
func TestPositions(t *testing.T) {
	const ok = `"colophon_publisher": "1", "name": "A"`
	offer := func(payment string) string {
		return "{" + ok + ",\n \"offers\": [\n  {\"slug\": \"a\", \"title\": \"T\", \"uses\": [\"rag\"],\n   \"payment\": " + payment + "}]}"
	}
	for _, c := range []struct{ body, want string }{
		{``, "1:1 json_syntax"},
		{"{\n  \"name\": \"A\",,\n}", "2:15 json_syntax"},
		{"{" + ok + `, "name": "B"}`, "1:42 json_duplicate_member"},
		{"{" + ok + "} x", "1:42 json_trailing_data"},
		{"{\"name\": \"é\xff\"}", "1:12 json_ill_formed_unicode"},
		{`{"colophon_publisher": "2", "name": "A"}`, "1:24 /colophon_publisher not_in_list"},
		{`{"name": "A"}`, "1:1 /colophon_publisher required"},
		{"{" + ok + ",\n\"summary\": \"a\u202eb\"}", "2:12 /summary text_unsafe"},
		{"{" + ok + ",\n\"summary\": \"a\\u0007b\"}", "2:12 /summary text_unsafe"},
		{"{" + ok + ",\n\"hosts\": [\"a.example\",\n \"A..example\"]}", "3:2 /hosts/1 host_invalid"},
		{"{" + ok + ",\"hosts\": [\"127.0.0.1\"]}", "1:51 /hosts/0 host_invalid"},
		{"{" + ok + ",\"hosts\": [\"a.example\", \"a.example\"]}", "1:64 /hosts/1 repeated"},
		{"{" + ok + ",\"policy_of\": \"http://a.example/\"}", "1:54 /policy_of address_invalid"},
		{"{" + ok + ",\"feeds\": [\"https://u:p@a.example/\"]}", "1:51 /feeds/0 address_invalid"},
		{"{" + ok + ",\"preferences\": [{\"use\": \"rag\"}]}", "1:57 /preferences/0 says_nothing"},
		{"{" + ok + ",\"preferences\": [{\"use\": \"sing\", \"declared\": \"allow\"}]}", "1:65 /preferences/0/use not_in_list"},
		{"{" + ok + ",\"preferences\": [{\"use\": \"rag\", \"declared\": \"allow\", \"paths\": [\"x\"]}]}", "1:103 /preferences/0/paths/0 path_invalid"},
		{offer(`{"model": "use", "amount": "1e9", "currency": "EUR"}`), "4:42 /offers/0/payment/amount amount_invalid"},
		{offer(`{"model": "use", "amount": "0.00", "currency": "EUR"}`), "4:42 /offers/0/payment/amount amount_invalid"},
		{offer(`{"model": "use", "amount": "-1", "currency": "EUR"}`), "4:42 /offers/0/payment/amount amount_invalid"},
		{offer(`{"model": "use", "amount": "1", "currency": "EUX"}`), "4:59 /offers/0/payment/currency currency_invalid"},
		{offer(`{"model": "use", "amount": "9999999999", "currency": "EUR"}`), "4:42 /offers/0/payment/amount amount_invalid"},
		{offer(`{"model": "use", "amount": 12, "currency": "EUR"}`), "4:42 /offers/0/payment/amount type_mismatch"},
		{offer(`{"model": "use"}`), "4:15 /offers/0/payment amount_missing"},
		{offer(`{"model": "use", "amount": "1", "currency": "EUR", "on_request": true}`), "4:80 /offers/0/payment/on_request contradicts"},
	} {
		_, err := Read([]byte(c.body))
		var list Errors
		if !errors.As(err, &list) || !strings.HasPrefix(list[0].String(), c.want) {
			t.Errorf("%q: %v, want %s", c.body, err, c.want)
		}
	}
}

// TestMisspeltWords checks that a word one letter away from a known one is
// reported with that one, whether it is a value or a member.
func TestMisspeltWords(t *testing.T) {
	use := func(word string) string {
		return `{"colophon_publisher": "1", "name": "A", "preferences": [{"use": "` + word + `", "declared": "allow"}]}`
	}
	for body, want := range map[string]string{
		use("sumarization"): `Did you mean "summarization" by "sumarization"? One of `,
		use("Fine-Tuning"):  `Did you mean "fine_tuning" by "Fine-Tuning"? One of `,
		use("trainnig"):     `Did you mean "training" by "trainnig"? One of `,
		use("rags"):         `Did you mean "rag" by "rags"? One of `,
		use("archiving"):    `not_in_list: One of `,
		use("x"):            `not_in_list: One of `,
		`{"colophon_publisher": "1", "name": "A", "offers": [{"slug": "a", "title": "T", "uses": ["rag", "reserch"], "payment": {"model": "use", "on_request": true}}]}`: `Did you mean "research" by "reserch"?`,
	} {
		assert.ErrorContains(t, assert.Err(Read([]byte(body))), body, want)
	}
	r, err := Read([]byte(`{"colophon_publisher": "1", "name": "A", "prefrences": [], "later": 1}`))
	if err != nil || len(r.Unknown) != 2 || !strings.HasPrefix(r.Unknown[0].Detail, `Did you mean "preferences" by "prefrences"? `) || strings.Contains(r.Unknown[1].Detail, "mean") {
		t.Errorf("%v, unknown %+v", err, r)
	}
}

// TestResembles distinguishes a file with errors from what servers send instead
// of a file.
func TestResembles(t *testing.T) {
	for body, want := range map[string]bool{
		`{"colophon_publisher": "1", "name": "A",}`:             true,
		"\ufeff\n {\"name\": \"A\", \"colophon_publisher\": 1}": true,
		`{"error": "not found"}`:                                false,
		`<html>"colophon_publisher"</html>`:                     false,
		`["colophon_publisher"]`:                                false,
		``:                                                      false,
	} {
		assert.Equal(t, Resembles([]byte(body)), want, "%q", body)
	}
}

// TestUnknownMembers: unknown members are kept and reported, and hide no error.
func TestUnknownMembers(t *testing.T) {
	_, err := Read([]byte("{\"colophon_publisher\": \"1\",\n \"name\": \"A\", \"x/y\": [1],\n \"rights_holder\": {\"name\": \"H\", \"later\": 1.5}}"))
	if err == nil {
		t.Fatal("a number with a point is read")
	}
	r, err := Read([]byte("{\"colophon_publisher\": \"1\",\n \"name\": \"A\", \"x/y\": [1],\n \"rights_holder\": {\"name\": \"H\", \"later\": {}}}"))
	if err != nil || len(r.Unknown) != 2 || len(r.Extra) != 2 {
		t.Fatal(err, r)
	}
	if a, b := r.Unknown[0].String(), r.Unknown[1].String(); !strings.HasPrefix(a, "2:22 /x~1y unknown_member") || !strings.HasPrefix(b, "3:42 /rights_holder/later unknown_member") {
		t.Errorf("%s; %s", a, b)
	}
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, `,"u%d":1`, i)
	}
	assert.Fails(t, assert.Err(Read([]byte(`{"colophon_publisher":"1"`+many.String()+`,"name":5}`))), "unknown members hide an error")
}

// TestSchemaAgrees compares the published schema with the reader: what is read
// is valid, and what has another shape is not.
func TestSchemaAgrees(t *testing.T) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema("https://registry.example/schema.json").Append(nil)))
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("https://registry.example/schema.json", v))
	schema, err := c.Compile("https://registry.example/schema.json")
	must(t, err)
	good := documented(t)
	for body, want := range map[string]bool{
		good: true,
		strings.Replace(good, `"1200"`, `1200`, 1):                                  false,
		strings.Replace(good, `"rag"`, `"sing"`, 1):                                 false,
		strings.Replace(good, `"slug"`, `"slag"`, 1):                                false,
		strings.Replace(good, `["en"]`, `["en"`+strings.Repeat(`,"en"`, 64)+`]`, 1): false,
		strings.Replace(good, `"countries"`, `"contries"`, 1):                       true,
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		must(t, err)
		_, readErr := Read([]byte(body))
		if got := schema.Validate(doc) == nil; got != want || (readErr == nil) != want {
			t.Errorf("schema says %t, reader says %v, want %t: %.200s", got, readErr, want, body)
		}
	}
}

// hostile returns one of a thousand hostile files.
func hostile(good string, n int) []byte {
	r := rand.New(rand.NewPCG(19, uint64(n)))
	at := func() int { return r.IntN(len(good)) }
	switch n % 10 {
	case 0: // truncated
		return []byte(good[:at()])
	case 1: // deep
		return []byte(strings.Repeat(`{"a":`, 1000+r.IntN(20000)) + "1")
	case 2: // wide
		return []byte(`{"hosts":[` + strings.Repeat(`"a.example",`, 5000+r.IntN(9000)) + `"b.example"]}`)
	case 3: // a repeated member
		return []byte(strings.Replace(good, `"name"`, fmt.Sprintf(`"name": "n%d", "name"`, n), 1))
	case 4: // text with a bidirectional override
		return []byte(strings.Replace(good, "Site of", "Site \u202e of\u2066", 1))
	case 5: // absurd amounts
		amount := []string{"1e400", "-5", "00", "0", "1,000", "NaN", "999999999999", "1.23456", "٣", " 1", "0x10", "+1"}[r.IntN(12)]
		return []byte(strings.Replace(good, `"1200"`, `"`+amount+`"`, 1))
	case 6: // names that are not hosts
		host := []string{"127.0.0.1", "localhost", "[::1]", "a..example", "*.example", "EXAMPLE..com", "a.example:443", "a.example/", "xn--a.example", "com."}[r.IntN(10)]
		return []byte(strings.Replace(good, `"languages"`, `"hosts": ["`+host+`"], "languages"`, 1))
	case 7: // absurd times
		until := []string{"9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "tomorrow", "2026-01-01T00:00:00+24:00"}[r.IntN(5)]
		return []byte(strings.Replace(good, `"slug"`, `"valid_until": "`+until+`", "slug"`, 1))
	case 8: // an octet that is not UTF-8
		i := at()
		return []byte(good[:i] + "\xff" + good[i:])
	}
	return bytes.Repeat([]byte(`[{"a":"b"},`), 100_000*(n%3+1)) // large
}

// TestHostile reads a thousand hostile files and one of 100 MB: each must be
// refused with a position, within 64 MB of memory.
func TestHostile(t *testing.T) {
	good := documented(t)
	must(t, assert.Err(Read([]byte(good))))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var most uint64
	for n := range 1000 {
		body := hostile(good, n)
		_, err := Read(body)
		var list Errors
		if !errors.As(err, &list) || list[0].Line < 1 || list[0].Column < 1 || list[0].Code == "" {
			t.Fatalf("file %d: %v: %.200q", n, err, body)
		}
		if n%10 == 0 {
			runtime.GC()
		}
		runtime.ReadMemStats(&after)
		most = max(most, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
	}
	if most > 64<<20 {
		t.Errorf("%d MB were in use", most>>20)
	}
	huge := make([]byte, 100<<20)
	runtime.ReadMemStats(&before)
	if _, err := Read(huge); err == nil || !strings.Contains(err.Error(), "too_large") {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if more := after.TotalAlloc - before.TotalAlloc; more > 1<<20 {
		t.Errorf("refusing 100 MB took %d bytes", more)
	}
}

func FuzzRead(f *testing.F) {
	good := documented(f)
	for n := range 20 {
		f.Add(hostile(good, n))
	}
	f.Add([]byte(good))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := Read(body)
		if err == nil {
			if _, err := Read(wire.Append(nil, &r.File)); err != nil {
				t.Errorf("what was read is not read again: %v", err)
			}
			return
		}
		var list Errors
		if !errors.As(err, &list) || list[0].Line < 1 || list[0].Column < 1 {
			t.Errorf("no position: %v", err)
		}
	})
}
