package email

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"colophon/internal/notify"
	"colophon/internal/notify/letter"
)

// apiClient posts to a mail API that the operator chose. It follows no
// redirects, so that a letter goes where the setting says.
var apiClient = &http.Client{
	Timeout:       timeout,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// postAPI returns the Post of a notify.Sender that sends through a mail API.
func postAPI(api letter.API, write func(ctx context.Context, m notify.Message) (letter.Message, error)) notify.PostFunc {
	return func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		l, err := write(ctx, m)
		if err != nil {
			return notify.Answer{}, err
		}
		header, body := api.Write(l, m.At)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, api.URL, bytes.NewReader(body))
		if err != nil {
			return notify.Answer{}, withoutURL(err)
		}
		for _, h := range header {
			req.Header.Set(h[0], h[1])
		}
		res, err := apiClient.Do(req)
		if err != nil {
			return notify.Answer{}, withoutURL(err)
		}
		defer res.Body.Close()
		io.CopyN(io.Discard, res.Body, 64<<10) //nolint:errcheck // only to reuse the connection
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		return api.Judge(res.StatusCode, time.Duration(seconds)*time.Second), nil
	}
}

// checkAPI checks that a mail API answers at all.
func checkAPI(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return withoutURL(err)
	}
	res, err := apiClient.Do(req)
	if err != nil {
		return withoutURL(err)
	}
	return res.Body.Close()
}

// withoutURL removes the address from an error, which is stored and logged,
// because it may contain a secret.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
