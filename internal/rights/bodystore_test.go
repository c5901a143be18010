package rights_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// bodyRows opens bodies. Each call uses the next list of editions, in which 0
// means that a permit opens nothing.
type bodyRows struct {
	calls [][]int64
	text  string // "" if the text is stored elsewhere
}

func (b *bodyRows) OpenBodies(_ context.Context, asks []origin.BodyAsk) ([]*origin.LicensedBody, error) {
	versions := b.calls[0]
	if len(b.calls) > 1 {
		b.calls = b.calls[1:]
	}
	out := make([]*origin.LicensedBody, len(asks))
	for i := range asks {
		if versions[i] > 0 {
			out[i] = &origin.LicensedBody{Form: "text", Text: b.text, Version: versions[i]}
		}
	}
	return out, nil
}

// TestTogether opens texts up to the first permit that opens nothing. If texts
// are stored elsewhere, rights and editions are checked once more after reading
// them.
func TestTogether(t *testing.T) {
	at := instant(t, coverTime)
	large := strings.Repeat("a", rights.MaxTogether/2)
	for name, tc := range map[string]struct {
		calls   [][]int64
		text    string
		objects string // the text stored elsewhere
		age     time.Duration
		want    int
	}{
		"all":                          {[][]int64{{1, 1, 1}}, "text", "", 0, 3},
		"up to the second":             {[][]int64{{1, 0, 1}}, "text", "", 0, 1},
		"none":                         {[][]int64{{0, 1, 1}}, "text", "", 0, 0},
		"old permits":                  {[][]int64{{1, 1, 1}}, "text", "", rights.PermitLife, 3},
		"permits that are too old":     {[][]int64{{1, 1, 1}}, "text", "", rights.PermitLife + time.Second, 0},
		"permits of three seconds ago": {[][]int64{{1, 1, 1}}, "text", "", 3 * time.Second, 0},
		"permits of the future":        {[][]int64{{1, 1, 1}}, "text", "", -time.Second, 0},
		"two that fit":                 {[][]int64{{1, 1, 1}}, large, "", 0, 2},
		"one that does not fit":        {[][]int64{{1, 1, 1}}, large + large + "a", "", 0, 1},
		"elsewhere":                    {[][]int64{{1, 1, 1}, {1, 1, 1}}, "", "text", 0, 3},
		"revoked while it was read":    {[][]int64{{1, 1, 1}, {1, 0, 1}}, "", "text", 0, 1},
		"edited while it was read":     {[][]int64{{1, 1, 1}, {1, 2, 1}}, "", "text", 0, 1},
		"elsewhere, two that fit":      {[][]int64{{1, 1, 1}, {1, 1, 1}}, "", large, 0, 2},
		"elsewhere, all are revoked":   {[][]int64{{1, 1, 1}, {0, 0, 0}}, "", "text", 0, 0},
	} {
		var objects func(context.Context, string) ([]byte, error)
		if tc.objects != "" {
			objects = func(context.Context, string) ([]byte, error) { return []byte(tc.objects), nil }
		}
		s := rights.NewBodyStore(&bodyRows{tc.calls, tc.text}, objects, func() time.Time { return at.Add(tc.age) })
		p, denial := rights.Check(&rights.Claim{Buyer: coverBuyer, Grants: []origin.Grant{coverGrant()}, Item: coverItem(), Use: exports.UseRAG, At: at, Decision: "dec_1"})
		if denial != "" {
			t.Fatal(denial)
		}
		list, err := s.Together(t.Context(), []rights.Permit{p, p, p}, "text")
		if len(list) != tc.want || err != nil {
			t.Errorf("%s: %d texts, %v; want %d", name, len(list), err, tc.want)
		}
	}
	s := rights.NewBodyStore(&bodyRows{[][]int64{{1}}, "text"}, nil, func() time.Time { return at })
	if _, err := s.Body(t.Context(), rights.Permit{}, "text"); !errors.Is(err, rights.ErrNotPermitted) {
		t.Errorf("a permit that nobody made: %v", err)
	}
}

// TestFormElsewhere checks that the requested form is read, otherwise plain
// text, and that a missing text is an error, not an empty text.
func TestFormElsewhere(t *testing.T) {
	at := instant(t, coverTime)
	for name, tc := range map[string]struct {
		have map[string]string
		form string
		text string
		err  error
	}{
		"the form":       {map[string]string{"html": "<p>", "text": "plain"}, "html", "<p>", nil},
		"another form":   {map[string]string{"text": "plain"}, "text", "plain", nil},
		"nothing at all": {nil, "", "", fs.ErrNotExist},
	} {
		objects := func(_ context.Context, key string) ([]byte, error) {
			text, ok := tc.have[key[strings.LastIndexByte(key, '.')+1:]]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		}
		s := rights.NewBodyStore(&bodyRows{[][]int64{{4}}, ""}, objects, func() time.Time { return at })
		p, _ := rights.Check(&rights.Claim{Buyer: coverBuyer, Grants: []origin.Grant{coverGrant()}, Item: coverItem(), Use: exports.UseRAG, At: at, Decision: "dec_1"})
		c, err := s.Body(t.Context(), p, "html")
		if !errors.Is(err, tc.err) || c.Text != tc.text || c.Format != tc.form {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if key := rights.ObjectKey("ent_1", 4, "html"); key != "ent_1/4.html" {
		t.Error(key)
	}
}

// TestDemand checks that a request whose buyer chose to show it is shown until
// it expires.
func TestDemand(t *testing.T) {
	for _, tc := range []struct {
		in      bool
		at, end string
		want    bool
	}{
		{true, coverTime, "", true}, {true, coverTime, "2026-06-01T12:00:01Z", true}, {true, coverTime, coverTime, false}, {false, coverTime, "", false}, {true, "", "", false},
	} {
		d := origin.Demand{DemandID: "dmd_1", OptedIn: tc.in, OptedInAt: tc.at, ExpiresAt: tc.end, BuyerName: "A", BuyerEmail: "a@b.example"}
		if _, ok := rights.Demand(&d, coverTime); ok != tc.want {
			t.Errorf("%+v: %v", tc, ok)
		}
	}
}
