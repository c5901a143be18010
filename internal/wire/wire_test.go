package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/internal/assert"
)

var must = assert.NoError

func TestParseRefusals(t *testing.T) {
	long := strings.Repeat("[", 17) + strings.Repeat("]", 17)
	many := "{" + strings.Repeat(`"a":1,`, 0)
	for i := 0; i < 257; i++ {
		many += `"` + string(rune('A'+i%26)) + string(rune('a'+i/26)) + `":1,`
	}
	many = many[:len(many)-1] + "}"
	for _, tc := range []struct{ name, in, code string }{
		{"empty", "", "json_syntax"},
		{"bom", "\ufeff{}", "json_syntax"},
		{"trailing comma", "[1,]", "json_syntax"},
		{"trailing data", "{} {}", "json_trailing_data"},
		{"duplicate", `{"a":1,"a":2}`, "json_duplicate_member"},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, "json_duplicate_member"},
		{"duplicate at depth", `{"x":[{"a":1,"a":2}]}`, "json_duplicate_member"},
		{"float", "1.0", "json_number_not_safe_integer"},
		{"exponent", "1e0", "json_number_not_safe_integer"},
		{"minus zero", "-0", "json_number_not_safe_integer"},
		{"2^53", "9007199254740992", "json_number_not_safe_integer"},
		{"long digits", strings.Repeat("9", 4000), "json_number_not_safe_integer"},
		{"leading zero", "01", "json_syntax"},
		{"lone high surrogate", `"\ud800"`, "json_ill_formed_unicode"},
		{"lone low surrogate", `"\udc00x"`, "json_ill_formed_unicode"},
		{"broken utf8", "\"\xff\"", "json_ill_formed_unicode"},
		{"control character", "\"a\nb\"", "json_syntax"},
		{"bad escape", `"\x"`, "json_syntax"},
		{"too deep", long, "json_too_deep"},
		{"bomb", strings.Repeat("[", 60000), "json_too_deep"},
		{"too many members", many, "json_too_many_members"},
		{"too large", `"` + strings.Repeat("a", 64<<10) + `"`, "json_too_large"},
		{"word", "tru", "json_syntax"},
		{"unclosed", `{"a":`, "json_syntax"},
	} {
		_, err := Parse([]byte(tc.in), Limits{})
		var e *Error
		if !errors.As(err, &e) || e.Code != tc.code {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.code)
		}
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		` {"b": [1, true], "a": "\u00e9"} `: `{"a":"é","b":[1,true]}`,
		`"\u2028\/\u0007\t"`:                "\"\u2028/\\u0007\\t\"",
		`{"\ud83d\ude00":1,"\ufb33":2}`:     "{\"\U0001F600\":1,\"\ufb33\":2}",
		`[9007199254740991,-1,null]`:        `[9007199254740991,-1,null]`,
		`{"a":1,"":2,"aa":3}`:               `{"":2,"a":1,"aa":3}`,
	} {
		v, err := Parse([]byte(in), Limits{})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		assert.Equal(t, string(v.Append(nil)), want, "%s", in)
	}
}

// FuzzParse checks that accepted input is valid JSON for the standard library
// too and is written back unchanged, and that floats are refused unless asked
// for.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":null}],"c":"\ud83d\ude00"}`, `[]`, `"\\"`, `-12`, `1e5`, `{"a":1,"a":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Parse(b, Limits{})
		if err != nil {
			if v2, err2 := Parse(b, Limits{Floats: true}); err2 == nil {
				v2.Append(nil)
			}
			return
		}
		if !json.Valid(b) {
			t.Fatalf("accepted what is not JSON: %q", b)
		}
		out := v.Append(nil)
		w, err := Parse(out, Limits{Bytes: 1 << 20})
		if err != nil {
			t.Fatalf("own output refused: %v: %q", err, out)
		}
		if again := w.Append(nil); !bytes.Equal(out, again) {
			t.Fatalf("not a fixed point: %q then %q", out, again)
		}
		if !utf8.Valid(out) {
			t.Fatalf("ill-formed output %q", out)
		}
	})
}

type inner struct {
	A     string
	Count int64
}

func (x *inner) Members(m *Members) {
	m.Text("a", &x.A, Bounds{Min: 2, Max: 4})
	m.Int("count", &x.Count)
}

type sample struct {
	Zed   string
	Name  string
	At    string
	Use   string
	None  string
	Tags  []string
	Open  bool
	Score int64
	One   *inner
	List  []inner
	Must  inner
	Ext   Value
	Term  int64
}

func (x *sample) Members(m *Members) {
	m.String("zed", &x.Zed)
	m.OptString("name", &x.Name)
	m.Time("at", &x.At)
	m.Enum("use", &x.Use, "rag", "training")
	m.NullString("none", &x.None)
	m.Strings("tags", &x.Tags)
	m.Bool("open", &x.Open)
	m.Thousandths("score", &x.Score)
	Opt(m, "one", &x.One)
	List(m, "list", &x.List)
	m.Object("must", &x.Must)
	m.Any("ext", &x.Ext)
	m.OptRange("term_months", &x.Term, 1, 120)
	m.Flag("grants_rights", false)
}

func full() *sample {
	return &sample{
		Zed: "z\"", Name: "n", At: "2026-11-20T09:00:00Z", Use: "rag", Tags: []string{"x", "y"}, Open: true, Score: 875,
		One: &inner{"ab", 1}, List: []inner{{"cd", 2}, {"ef", 3}}, Must: inner{"gh", 4}, Ext: Object(M("k", Int(1))), Term: 12,
	}
}

func TestRecordRoundTrip(t *testing.T) {
	b := Append(nil, full())
	const want = `{"at":"2026-11-20T09:00:00Z","ext":{"k":1},"grants_rights":false,"list":[{"a":"cd","count":2},{"a":"ef","count":3}],"must":{"a":"gh","count":4},"name":"n","none":null,"one":{"a":"ab","count":1},"open":true,"score":0.875,"tags":["x","y"],"term_months":12,"use":"rag","zed":"z\""}`
	if string(b) != want {
		t.Fatalf("got  %s\nwant %s", b, want)
	}
	var back sample
	must(t, Decode(b, &back, Limits{Floats: true}))
	if again := Append(nil, &back); !bytes.Equal(again, b) {
		t.Fatalf("round trip gave %s", again)
	}
}

func TestDecodeFindings(t *testing.T) {
	base, err := Parse(Append(nil, full()), Limits{Floats: true})
	must(t, err)
	for _, tc := range []struct {
		name, pointer, code string
		v                   Value
	}{
		{"missing", "/zed", "required", base.Without("zed")},
		{"unknown", "/colour", "unknown_member", base.With("colour", Int(1))},
		{"unknown escaped", "/a~1b", "unknown_member", base.With("a/b", Int(1))},
		{"wrong type", "/zed", "type_mismatch", base.With("zed", Int(1))},
		{"null text", "/zed", "type_mismatch", base.With("zed", Null())},
		{"bad time", "/at", "time_invalid", base.With("at", String("yesterday"))},
		{"empty time", "/at", "time_invalid", base.With("at", String(""))},
		{"bad word", "/use", "not_in_list", base.With("use", String("stealing"))},
		{"empty word", "/use", "not_in_list", base.With("use", String(""))},
		{"too short", "/must/a", "too_short", base.With("must", Object(M("a", String("x")), M("count", Int(1))))},
		{"too long at depth", "/list/1/a", "too_long", base.With("list", Array(base.Get("list").Items[0], Object(M("a", String("abcde")), M("count", Int(1)))))},
		{"count in code points", "/must/a", "too_long", base.With("must", Object(M("a", String("ééééé")), M("count", Int(1))))},
		{"tag type", "/tags/1", "type_mismatch", base.With("tags", Array(String("x"), Int(2)))},
		{"range", "/term_months", "out_of_range", base.With("term_months", Int(121))},
		{"flag", "/grants_rights", "not_in_list", base.With("grants_rights", Bool(true))},
		{"list", "/list", "type_mismatch", base.With("list", Object())},
		{"whole", "", "type_mismatch", Array()},
	} {
		var s sample
		err := DecodeValue(&tc.v, &s)
		var bad *Invalid
		if !errors.As(err, &bad) || len(bad.Fields) != 1 || bad.Fields[0].Pointer != tc.pointer || bad.Fields[0].Code != tc.code {
			t.Errorf("%s: got %v (%+v), want %s at %q", tc.name, err, bad, tc.code, tc.pointer)
		}
	}
}

func TestDecodeManyFindingsAreBounded(t *testing.T) {
	v := Object()
	for i := 0; i < 200; i++ {
		v.Members = append(v.Members, M("m"+strings.Repeat("x", i), Int(1)))
	}
	var bad *Invalid
	if err := DecodeValue(&v, &sample{}); !errors.As(err, &bad) || len(bad.Fields) != maxFieldErrors {
		t.Fatalf("got %v with %d fields", err, len(bad.Fields))
	}
}

func TestSchema(t *testing.T) {
	v := Schema(&sample{}, false)
	b := v.Append(nil)
	if !json.Valid(b) {
		t.Fatalf("not JSON: %s", b)
	}
	if got, _ := v.Get("properties").Get("list").Get("items").Get("properties").Get("a").Get("maxLength").Int(); got != 4 {
		t.Errorf("nested bounds lost: %s", b)
	}
	if v.Get("additionalProperties") == nil {
		t.Error("a closed schema must refuse unknown members")
	}
	if len(v.Get("required").Items) != 10 {
		t.Errorf("required: %s", v.Get("required").Append(nil))
	}
	open := Schema(&sample{}, true)
	if open.Get("additionalProperties") != nil || open.Get("properties").Get("must").Get("additionalProperties") != nil {
		t.Error("an open schema must allow unknown members at every depth")
	}
}

func TestThousandths(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 1: "0.001", 10: "0.01", 100: "0.1", 500: "0.5", 875: "0.875", 1000: "1"} {
		assert.Equal(t, string(appendThousandths(nil, n)), want, "%d", n)
		v := Value{Kind: KindNumber, Text: want}
		if back, ok := parseThousandths(&v); !ok || back != n {
			t.Errorf("%s: back to %d %v", want, back, ok)
		}
	}
	for _, s := range []string{"-1", "1.001", "0.1234", "2", "1e0", "99999"} {
		v := Value{Kind: KindNumber, Text: s}
		if n, ok := parseThousandths(&v); ok {
			t.Errorf("%s accepted as %d", s, n)
		}
	}
}

func TestIsTime(t *testing.T) {
	for s, want := range map[string]bool{
		"2026-11-20T09:00:00Z": true, "2026-11-20T09:00:00+00:00": false, "2026-13-20T09:00:00Z": false,
		"2026-11-20 09:00:00Z": false, "2026-11-20T24:00:00Z": false, "": false, "2026-11-20T09:00:00.0Z": false,
	} {
		assert.Equal(t, IsTime(s), want, "%q", s)
	}
}

func TestParseBoundsValues(t *testing.T) {
	l := Limits{Values: 5}
	if _, err := Parse([]byte(`{"a":[1,2,3]}`), l); err != nil {
		t.Errorf("five values: %v", err)
	}
	_, err := Parse([]byte(`[[],[],[[]],1]`), l)
	var e *Error
	if !errors.As(err, &e) || e.Code != "json_too_many_members" {
		t.Errorf("six values: %v", err)
	}
}

// row is a record of one member.
type row struct{ Name string }

func (r *row) Members(m *Members) { m.String("name_of_row", &r.Name) }

// TestRows checks that encoding/json writes records in their own form.
func TestRows(t *testing.T) {
	for want, list := range map[string]Rows[row, *row]{
		`[]`: nil, `[{"name_of_row":"a"}]`: {{"a"}}, `[{"name_of_row":"a"},{"name_of_row":"b"}]`: {{"a"}, {"b"}},
	} {
		if got, err := json.Marshal(list); err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}
