package limit_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
)

// counts allows a number of calls for each policy and key.
type counts map[string]int

func (c counts) Allow(_ context.Context, policy, key string) ([]limit.Quota, int64) {
	if c[policy+" "+key]--; c[policy+" "+key] < 0 {
		return []limit.Quota{{Name: policy + "-full"}}, 9
	}
	return nil, 9
}

func (c counts) Left(_ context.Context, policy, key string, q limit.Quota) (int64, int64) {
	return int64(c[policy+" "+key]), q.Window
}

func TestCallerKey(t *testing.T) {
	l := &limit.Limits{Secret: []byte("a secret of at least 32 bytes, so")}
	same := func(a, b string) bool { return l.CallerKey(a) == l.CallerKey(b) }
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"2001:db8:1:2::1", "2001:DB8:1:2:ffff::9", true},
		{"2001:db8:1:2::1", "2001:0db8:0001:0002:0:0:0:1", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"2001:db8::1", "2001:db8:0:0:5::1", true},
		{"::1", "::2", true},
	} {
		if same(c.a, c.b) != c.want {
			t.Errorf("%s and %s: not %v", c.a, c.b, c.want)
		}
	}
}

// violated returns the quotas that a refusal names.
func violated(f *problem.Failure) (names []string) {
	for _, m := range f.More {
		for _, v := range m.Value.Items {
			names = append(names, v.Text)
		}
	}
	return names
}

func TestAnswerCounts(t *testing.T) {
	l := &limit.Limits{Limiter: counts{"p k": 1}, Policies: []limit.Policy{{Name: "p", Quotas: []limit.Quota{{Name: "q", Calls: 1, Window: 60}}}}}
	answer := func() (*edge.Response, error) { return &edge.Response{Status: 200}, nil }
	resp, err := l.Answer(context.Background(), "k", []string{"p", "none"}, answer)
	if err != nil || resp.Header.Get("ratelimit-policy") != `"q";q=1;w=60` || resp.Header.Get("ratelimit") != `"q";r=0;t=60` {
		t.Errorf("the first call: %v %v", resp, err)
	}
	_, err = l.Answer(context.Background(), "k", []string{"p"}, answer)
	if f := problem.Of(err); f == nil || f.Code != "quota_exceeded" || f.Retry != 9 || f.Header.Get("ratelimit") != `"q";r=0;t=60` || !slices.Equal(violated(f), []string{"p-full"}) {
		t.Errorf("the second call: %v", err)
	}
}

func TestRefuse(t *testing.T) {
	l := &limit.Limits{Limiter: counts{}}
	other := errors.New("other")
	for _, c := range []struct {
		err  error
		code string
	}{
		{problem.New("credential_invalid", ""), "quota_exceeded"},
		{problem.New("thread_not_found", ""), "quota_exceeded"},
		{problem.New("credential_missing", ""), "credential_missing"},
		{problem.Unavailable(), "origin_unavailable"},
	} {
		if f := problem.Of(l.Refuse(context.Background(), "192.0.2.1", c.err)); f == nil || f.Code != c.code {
			t.Errorf("%v: %v", c.err, f)
		}
	}
	if err := l.Refuse(context.Background(), "192.0.2.1", other); err != other {
		t.Error(err)
	}
}

// store is the counters of an origin.
type store struct {
	origin.Counters
	counts map[string]int64
}

func (s store) Bump(_ context.Context, list []origin.Counter) ([]origin.Counter, error) {
	for i := range list {
		s.counts[list[i].Name]++
		list[i].Count = s.counts[list[i].Name]
	}
	return list, nil
}

func TestWindows(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 59, 30, 0, time.UTC)
	s, ctx := store{counts: map[string]int64{}}, context.Background()
	windows := limit.Windows([]limit.Quota{{Name: "hour", Calls: 1, Window: 3600}}, "k", at)
	w := windows[0]
	if w.Left != 30 || w.Counter.ResetsAt != "2026-11-20T10:00:00Z" || w.Counter.Name != "hour k 1795165200" {
		t.Errorf("%+v", w)
	}
	var header edge.Header
	for call, want := range []bool{true, false} {
		if err := limit.Bump(ctx, s, windows); err != nil {
			t.Fatal(err)
		}
		if err := limit.Exceeded(windows, &header, 0); (err == nil) != want || header.Get("ratelimit") != `"hour";r=0;t=30` {
			t.Errorf("call %d: %v %v", call, err, header)
		}
	}
}

// TestWaitsForTheLastQuota checks that a caller must wait until every quota
// that it has used up has room again.
func TestWaitsForTheLastQuota(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 30, 30, 0, time.UTC)
	windows := limit.Windows([]limit.Quota{{Name: "day", Calls: 1, Window: 86400}, {Name: "hour", Calls: 0, Window: 3600}, {Name: "minute", Calls: 0, Window: 60}}, "k", at)
	var header edge.Header
	if f := problem.Of(limit.Exceeded(windows, &header, 1)); f == nil || f.Retry != 1770 || !slices.Equal(violated(f), []string{"hour", "minute"}) {
		t.Errorf("%+v", f)
	}
}

func TestPlatform(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 59, 30, 0, time.UTC)
	p := &limit.Platform{
		Policies: []limit.Policy{{Name: "p", Quotas: []limit.Quota{{Name: "minute", Calls: 9, Window: 60}, {Name: "hour", Calls: 1, Window: 3600}}}},
		Short:    func(_ context.Context, _, key string, _ limit.Quota) (bool, error) { return key != "busy", nil },
		Long:     store{counts: map[string]int64{}},
		Now:      func() time.Time { return now },
	}
	for _, c := range []struct {
		key, over string
		wait      int64
	}{{"k", "", 0}, {"k", "hour", 30}, {"other", "", 0}, {"busy", "minute", 60}} {
		over, wait := p.Allow(context.Background(), "p", c.key)
		if name := strings.Join(namesOf(over), " "); name != c.over || wait != c.wait {
			t.Errorf("%s: %q %d", c.key, name, wait)
		}
	}
}

func namesOf(quotas []limit.Quota) (names []string) {
	for _, q := range quotas {
		names = append(names, q.Name)
	}
	return names
}
