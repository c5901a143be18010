package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
)

// askTime is the time limit of one request to a witness.
const askTime = 10 * time.Second

// newClient returns a client for witnesses and published logs, which makes at
// most three attempts.
func newClient() *retryablehttp.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax = 2
	c.RetryWaitMin = 200 * time.Millisecond
	c.RetryWaitMax = 2 * time.Second
	c.HTTPClient.Timeout = askTime
	c.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return c
}

// Ask asks each witness that has not cosigned the checkpoint yet to do so. It
// returns the checkpoint with the valid cosignatures, and one error for each
// witness that failed. since is the size of the checkpoint before. A witness
// that knows another state answers with its size and is asked again from there.
func Ask(ctx context.Context, checkpoint []byte, witnesses []Witness, since int64, hashes tlog.HashReader) ([]byte, []error) {
	var failed []error
	c, err := ledgerlog.ReadCheckpoint(checkpoint)
	if err != nil {
		return checkpoint, []error{err}
	}
	for _, w := range witnesses {
		if _, ok := ledgerlog.FindCosignature(checkpoint, w.Key); ok {
			continue
		}
		line, err := w.requestCosignature(ctx, c, checkpoint, since, hashes)
		if err != nil {
			failed = append(failed, fmt.Errorf("witness %s did not cosign: %w", w.Key.Name, err))
			continue
		}
		checkpoint = append(checkpoint[:len(checkpoint):len(checkpoint)], line...)
	}
	return checkpoint, failed
}

// errConflict carries the size of the log that a witness has cosigned.
type errConflict struct{ size int64 }

func (e errConflict) Error() string {
	return fmt.Sprintf("it has cosigned a log of %d leaves already", e.size)
}

func (w Witness) requestCosignature(ctx context.Context, c ledgerlog.Checkpoint, checkpoint []byte, since int64, hashes tlog.HashReader) (string, error) {
	line, err := w.addCheckpoint(ctx, c, checkpoint, since, hashes)
	var other errConflict
	if errors.As(err, &other) && other.size != since && other.size <= c.Size {
		line, err = w.addCheckpoint(ctx, c, checkpoint, other.size, hashes)
	}
	return line, err
}

// addCheckpoint makes one add-checkpoint request and returns the witness's
// signature line.
func (w Witness) addCheckpoint(ctx context.Context, c ledgerlog.Checkpoint, checkpoint []byte, old int64, hashes tlog.HashReader) (string, error) {
	body := "old " + strconv.FormatInt(old, 10) + "\n"
	if old > 0 {
		path, err := tlog.ProveTree(c.Size, old, hashes)
		if err != nil {
			return "", err
		}
		for _, h := range path {
			body += h.String() + "\n"
		}
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, w.URL+"/add-checkpoint", []byte(body+"\n"+string(checkpoint)))
	if err != nil {
		return "", err
	}
	resp, err := newClient().Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 16<<10))
	if err != nil {
		return "", err
	}
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusConflict:
		size, err := strconv.ParseInt(strings.TrimSuffix(string(answer), "\n"), 10, 64)
		if err != nil || size < 0 {
			return "", errors.New("it has seen another state of the log")
		}
		return "", errConflict{size}
	case http.StatusNotFound:
		return "", fmt.Errorf("it answered %s: it does not follow this log; give the log's key, %s, to whoever runs it", resp.Status, KeyFile)
	case http.StatusForbidden:
		return "", fmt.Errorf("it answered %s: it knows another key of this log; give the new one, %s, to whoever runs it", resp.Status, KeyFile)
	case http.StatusUnprocessableEntity:
		return "", fmt.Errorf("it answered %s: the log does not continue the one that it cosigned before", resp.Status)
	default:
		return "", fmt.Errorf("it answered %s", resp.Status)
	}
	own, ok := ledgerlog.ReadCosignature(checkpoint, string(answer), w.Key)
	if !ok {
		return "", errors.New("its cosignature does not hold")
	}
	return own.Line, nil
}
