package mirror

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// line is any line of a feed or delta.
type line struct {
	Type       string          `json:"type"`
	ItemID     string          `json:"item_id"`
	Item       json.RawMessage `json:"item"`
	Cursor     string          `json:"cursor"`
	NextCursor string          `json:"next_cursor"`
	Complete   bool            `json:"complete"`
	Root       string          `json:"root"`
	HeldItems  int64           `json:"live_items"`
	raw        json.RawMessage
}

const longestLine = 64 << 20

// readLines requests an NDJSON answer and passes each complete line to take.
func (p *pull) readLines(ctx context.Context, target string, take func(*line) error) error {
	res, err := p.sendRequest(ctx, http.MethodGet, target, "", "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	r := bufio.NewReaderSize(res.Body, 64<<10)
	for {
		text, err := wholeLine(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.Join(errCut, err)
		}
		l := line{raw: text}
		if err := json.Unmarshal(text, &l); err != nil {
			return errors.Join(errors.New("a line of the answer is not JSON"), err)
		}
		if err := take(&l); err != nil {
			return err
		}
	}
}

var errPart = errors.New("the last line is not whole")

func wholeLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return text[:len(text)-1], nil
		case errors.Is(err, bufio.ErrBufferFull) && len(text) < longestLine:
		case errors.Is(err, io.EOF) && len(text) > 0:
			return nil, errPart
		default:
			return nil, err
		}
	}
}

// postJSON posts a body and decodes the answer's JSON.
func (p *pull) postJSON(ctx context.Context, target, body, key string, into any) error {
	res, err := p.sendRequest(ctx, http.MethodPost, target, body, key)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		return errors.Join(errCut, err)
	}
	return nil
}

// sendRequest sends a request, and repeats it after a wait while the service is
// busy.
func (p *pull) sendRequest(ctx context.Context, method, target, body, key string) (*http.Response, error) {
	for {
		req, err := http.NewRequestWithContext(ctx, method, p.Base+target, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+p.Credential)
		if body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		if key != "" {
			req.Header.Set("Idempotency-Key", key)
		}
		res, err := p.Client.Do(req)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, errors.Join(errCut, err)
		}
		if res.StatusCode < 300 {
			return res, nil
		}
		refused := readProblem(res)
		switch res.StatusCode {
		case http.StatusGone:
			return nil, errors.Join(errExpiry, refused)
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusGatewayTimeout:
			return nil, errors.Join(errCut, refused)
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		default:
			return nil, refused
		}
		more, err := p.waitBusy(ctx, retryAfter(res.Header))
		if err != nil {
			return nil, err
		}
		if !more {
			return nil, refused
		}
	}
}

func readProblem(res *http.Response) error {
	defer res.Body.Close()
	var doc struct{ Code, Title string }
	_ = json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&doc) // an answer of a proxy in between is no problem document
	return &Refused{res.StatusCode, doc.Code, doc.Title}
}
