package doctor

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"colophon/internal/usage"
)

// AskReady asks the server whose monitoring listens at addr for its readiness.
// The error says what the server answered if that is anything but 200.
func AskReady(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return usage.Errorf("--ready: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no server answers: %w; \"colophon serve --admin-addr %s\" starts one that does", err, addr)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s: %s", req.URL, res.Status, bytes.TrimSpace(answer))
	}
	return nil
}
