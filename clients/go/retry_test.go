package colophon_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	colophon "colophon/clients/go"
	"colophon/clients/go/api"
)

// answerInTurn returns a client of a service that gives these answers in
// sequence: a status and the body, or 0 for a closed connection. keys are the
// idempotency keys of the requests.
func answerInTurn(t *testing.T, answers ...any) (c *colophon.Client, keys *[]string) {
	t.Helper()
	keys = &[]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := len(*keys)
		*keys = append(*keys, r.Header.Get("Idempotency-Key"))
		if n*2 >= len(answers) || answers[n*2] == 0 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answers[n*2].(int))
		fmt.Fprint(w, answers[n*2+1])
	}))
	t.Cleanup(s.Close)
	c, err := colophon.New(s.URL, colophon.WithRetries(3, time.Millisecond))
	must(t, err)
	return c, keys
}

func problem(code string, retryable bool, after string) string {
	return fmt.Sprintf(`{"code":%q,"title":"t","request_id":"rid_1","retry":{"retryable":%t,"after_seconds":%s}}`, code, retryable, after)
}

func TestRetries(t *testing.T) {
	read := func(c *colophon.Client) error {
		_, err := colophon.Read[api.Publisher](c.API.GetPublisher(t.Context(), "x", &api.GetPublisherParams{}))
		return err
	}
	send := func(c *colophon.Client) error {
		_, err := c.CreatePartnerRequest(t.Context(), api.PartnerRequest{}, "")
		return err
	}
	unkeyed := func(c *colophon.Client) error {
		_, err := colophon.Read[api.RequestReceipt](c.API.CreateRequest(t.Context(), &api.CreateRequestParams{}, api.PublicRequest{}))
		return err
	}
	for _, x := range []struct {
		what    string
		call    func(*colophon.Client) error
		answers []any
		asked   int
		code    string // of the final problem; "" for success, "?" for another error
	}{
		{"closed connections", read, []any{0, "", 0, "", 200, "{}"}, 3, ""},
		{"a problem that passes", read, []any{503, problem("overloaded", true, "null"), 200, "{}"}, 2, ""},
		{"a gateway without words", read, []any{502, "<html>", 200, "{}"}, 2, ""},
		{"a problem that stays", read, []any{404, problem("not_found", false, "null")}, 1, "not_found"},
		{"a wait that is too long", read, []any{429, problem("rate_limited", true, "3600")}, 1, "rate_limited"},
		{"too many failures", read, []any{503, problem("overloaded", true, "null"), 503, problem("overloaded", true, "null"), 503, problem("overloaded", true, "null")}, 3, "overloaded"},
		{"a request with a key", send, []any{0, "", 409, problem("idempotency_in_progress", true, "null"), 201, "{}"}, 3, ""},
		{"a request without a key", unkeyed, []any{0, "", 201, "{}"}, 1, "?"},
		{"words that are no JSON", read, []any{200, "<html>"}, 1, "?"},
		{"a redirect that leads nowhere", read, []any{304, ""}, 1, "?"},
	} {
		c, keys := answerInTurn(t, x.answers...)
		err := x.call(c)
		if len(*keys) != x.asked {
			t.Errorf("%s: asked %d times, want %d", x.what, len(*keys), x.asked)
		}
		if x.code != "?" && colophon.CodeOf(err) != x.code || (err == nil) != (x.code == "") {
			t.Errorf("%s: %v", x.what, err)
		}
		if len(slices.Compact(*keys)) != 1 {
			t.Errorf("%s: the keys differ: %q", x.what, *keys)
		}
	}
}

// TestRetryEndsWithContext checks that the client stops waiting when its
// context ends.
func TestRetryEndsWithContext(t *testing.T) {
	c, _ := answerInTurn(t, 503, problem("overloaded", true, "20"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := colophon.Read[api.Publisher](c.API.GetPublisher(ctx, "x", &api.GetPublisherParams{}))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// TestCredentialsStayAtTheirPaths checks that credentials are sent only to the
// paths that need them.
func TestCredentialsStayAtTheirPaths(t *testing.T) {
	got := map[string]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got[r.URL.Path] = r.Header.Get("Authorization")
		fmt.Fprint(w, `{"data":[],"page":{}}`)
	}))
	defer s.Close()
	c, err := colophon.New(s.URL+"/", colophon.WithPartnerKey("partner"), colophon.WithBuyerCredential("buyer"))
	must(t, err)
	ctx := t.Context()
	collect(t, c.Feed(ctx, api.LicensingFeedParams{}))
	collect(t, c.PartnerSearch(ctx, api.PartnerCatalogSearchParams{}))
	for _, call := range []func() (*http.Response, error){
		func() (*http.Response, error) { return c.API.RightsCheck(ctx, &api.RightsCheckParams{}) },
		func() (*http.Response, error) { return c.API.DeliveryItems(ctx, &api.DeliveryItemsParams{}) },
	} {
		if _, err := colophon.ReadBytes(call()); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"/v1/public/licensing-feed": "", "/v1/partner/catalog/search": "Bearer partner", "/v1/public/rights/check": "Bearer buyer", "/v1/rag-delivery/items": "Bearer buyer",
	} {
		if have, asked := got[path]; !asked || have != want {
			t.Errorf("%s got %q (asked %t), want %q", path, have, asked, want)
		}
	}
}

func TestAddressOfARegistry(t *testing.T) {
	for _, base := range []string{"", "registry.example", "ftp://registry.example", "https://", "::"} {
		if _, err := colophon.New(base); err == nil {
			t.Errorf("%q is taken", base)
		}
	}
}
