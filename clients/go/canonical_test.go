package colophon

import "testing"

// TestCanonical checks canonical forms, with the examples of RFC 8785 where it
// has some.
func TestCanonical(t *testing.T) {
	for given, want := range map[string]string{
		`{"b":1,"a":[true,null,""]}`: `{"a":[true,null,""],"b":1}`,
		`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`: "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\U0001F600\":5,\"\ufb33\":3}",
		`{"s":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"}`:                       `{"s":"€$\u000f\nA'B\"\\\\\"/"}`,
		` { "n" : -0 } `:         "",
		`{"n":9007199254740991}`: `{"n":9007199254740991}`,
		`{"n":9007199254740992}`: "", `{"n":1.0}`: "", `{"n":1e2}`: "", `{"n":1.5}`: "",
		`{"a":1,"a":1}`: "", `{"o":{"a":1,"\u0061":2}}`: "",
		`{"a":"\ud800"}`: "", `{"a":"\udc00"}`: "", `{"a":"\ud800\u0041"}`: "", `{"a":"\ud800x"}`: "", `{"\ud800":1}`: "",
		`{"a":1}{}`: "", `{"a":1} x`: "", `[]`: "", `1`: "", ``: "", `{`: "", `{"a":}`: "", "{\"a\":\"\xff\"}": "",
		`{"a":"\b\t\f<&>\u007f\u2028"}`: "{\"a\":\"\\b\\t\\f<&>\u007f\u2028\"}",
		`{"a":"\\ud800"}`:               `{"a":"\\ud800"}`,
	} {
		got := ""
		if v, err := parseStrict([]byte(given)); err == nil {
			got = string(appendCanonical(nil, v))
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", given, got, want)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := []byte(`{"a":`)
	for range 5000 {
		deep = append(deep, '[')
	}
	if _, err := parseStrict(deep); err == nil {
		t.Error("taken")
	}
}
