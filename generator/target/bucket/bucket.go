package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"

	"colophon/generator/target"
	"colophon/internal/pause"
	"colophon/internal/s3"
)

// Keys of the notes that this package keeps in the bucket.
const (
	notesFolder = target.NotesDir + "/"

	rootKey  = notesFolder + "published.json"
	leaseKey = notesFolder + "lease.json"

	listsFolder = notesFolder + "lists/"
	listSuffix  = ".txt.zst"
)

// slowestRate is the rate, in bytes a second, from which the timeout of a
// request with a body is computed.
const slowestRate = 16 << 10

// maxNote is the maximum size of the root and the lease.
const maxNote = 1 << 20

// Options are options of a bucket. The zero value means the defaults.
type Options struct {
	Endpoint string        // http(s)://host[:port]; "" means Amazon's
	Region   string        // "" means the one that the service reports
	Parallel int           // requests at the same time; 0 means DefaultParallel
	Timeout  time.Duration // for one request with its retries, in addition to the time for its body at 16 KiB/s; 0 means DefaultTimeout
	Lease    time.Duration // how long a lease is valid without renewal; 0 means DefaultLease

	pace time.Duration // least time between two writes of one note; 0 means none
}

// Defaults of Options.
const (
	DefaultParallel = 32
	DefaultTimeout  = 2 * time.Minute
	DefaultLease    = 30 * time.Second
)

// Target is a bucket into which releases are published.
type Target struct {
	at       *s3.Bucket
	opt      Options
	requests counter

	mu    sync.Mutex
	wrote map[string]time.Time // when each note was written last, by key
}

// R2 accepts one write a second for each key, and answers 429 to others
// (https://developers.cloudflare.com/r2/platform/limits/).
const (
	r2Host = ".r2.cloudflarestorage.com"
	r2Pace = 1100 * time.Millisecond
)

// Open returns the bucket at an address of the form s3://bucket/prefix. It
// sends no request.
func Open(address string, opt Options) (*Target, error) {
	if opt.Parallel == 0 {
		opt.Parallel = DefaultParallel
	}
	if opt.Timeout == 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Lease == 0 {
		opt.Lease = DefaultLease
	}
	if strings.HasSuffix(strings.TrimSuffix(opt.Endpoint, "/"), r2Host) {
		opt.pace = r2Pace
	}
	b := &Target{opt: opt, wrote: map[string]time.Time{}}
	at, err := s3.Open(address, s3.Options{
		Endpoint: opt.Endpoint, Region: opt.Region, Connections: opt.Parallel + 2,
		Transport: func(next http.RoundTripper) http.RoundTripper {
			b.requests.next = next
			return &b.requests
		},
	})
	if err != nil {
		return nil, err
	}
	b.at = at
	return b, nil
}

// String returns the address of the bucket.
func (b *Target) String() string { return b.at.String() }

// Requests counts the requests sent, including retries, by their price class.
type Requests struct {
	Writes  int64 `json:"writes"`  // PUT
	Reads   int64 `json:"reads"`   // GET and HEAD
	Deletes int64 `json:"deletes"` // POST, each for up to 1,000 objects
}

// counter counts the requests of a client.
type counter struct {
	next                   http.RoundTripper
	writes, reads, deletes atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	switch r.Method {
	case http.MethodPut:
		c.writes.Add(1)
	case http.MethodPost:
		c.deletes.Add(1)
	default:
		c.reads.Add(1)
	}
	return c.next.RoundTrip(r)
}

func (c *counter) countRequests() Requests {
	return Requests{Writes: c.writes.Load(), Reads: c.reads.Load(), Deletes: c.deletes.Load()}
}

// requestError returns an error that says which request for an object failed
// and why.
func (b *Target) requestError(verb, key string, err error) error {
	answer := minio.ToErrorResponse(err)
	if answer.StatusCode != 0 && answer.StatusCode != http.StatusOK {
		return fmt.Errorf("cannot %s %s in %s: %s%s", verb, key, b, describeAnswer(answer), b.at.ExplainRefusal(err))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("cannot %s %s in %s: no answer in time: %w", verb, key, b, context.DeadlineExceeded)
	}
	return fmt.Errorf("cannot %s %s in %s: %w", verb, key, b, err)
}

// describeAnswer describes an error answer in one line. Proxies in front of a
// service answer with pages of their own; of these it reports only the status.
func describeAnswer(answer minio.ErrorResponse) string {
	status := fmt.Sprint(answer.StatusCode)
	code := strings.TrimPrefix(answer.Code, status+" ")
	if strings.ContainsAny(code, "<>\n") {
		code = http.StatusText(answer.StatusCode)
	}
	message, _, _ := strings.Cut(strings.TrimSpace(answer.Message), "\n")
	if message == "" || strings.Contains(message, "<") || strings.HasSuffix(message, code) {
		return status + " " + code
	}
	return message + " (" + status + " " + code + ")"
}

// withTimeout limits the time of a request whose body has size bytes.
func (b *Target) withTimeout(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, b.opt.Timeout+time.Duration(size/slowestRate)*time.Second)
}

// condition is what must be stored for an object to be written.
type condition struct {
	absent bool   // no object
	etag   string // the object with this ETag
}

func (c condition) applyTo(opt *minio.PutObjectOptions) {
	if c.absent {
		opt.SetMatchETagExcept("*")
	}
	if c.etag != "" {
		opt.SetMatchETag(c.etag)
	}
}

// putObject stores an object and returns its ETag. The client can repeat a
// failed request only if body is an io.Seeker.
func (b *Target) putObject(ctx context.Context, key string, body io.Reader, size int64, sum [32]byte, h headers, only condition) (string, error) {
	ctx, cancel := b.withTimeout(ctx, size)
	defer cancel()
	opt := h.putOptions(sum)
	only.applyTo(&opt)
	info, err := b.at.Client.PutObject(ctx, b.at.Name, b.at.Prefix+key, body, size, "", hex.EncodeToString(sum[:]), opt)
	return info.ETag, err
}

// noteHeaders are the headers of this package's notes.
var noteHeaders = headers{ContentType: "application/json", CacheControl: "no-store"}

// putNote stores the root or the lease if the condition holds.
func (b *Target) putNote(ctx context.Context, key string, data []byte, only condition) (etag string, err error) {
	if err := b.keepPace(ctx, key); err != nil {
		return "", err
	}
	defer b.noteWrite(key)
	return b.putObject(ctx, key, bytes.NewReader(data), int64(len(data)), sha256.Sum256(data), noteHeaders, only)
}

// keepPace waits until the note may be written again.
func (b *Target) keepPace(ctx context.Context, key string) error {
	b.mu.Lock()
	wait := b.opt.pace - time.Since(b.wrote[key])
	b.mu.Unlock()
	if wait <= 0 {
		return nil
	}
	return pause.For(ctx, wait)
}

func (b *Target) noteWrite(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrote[key] = time.Now()
}

// readTries is how often an object is requested if the answer breaks off. The
// client itself repeats only requests without any answer.
const readTries = 5

// errCutOff is returned if an answer broke off.
var errCutOff = errors.New("the answer broke off")

// getObject reads an object of at most limit bytes. If there is none, found is
// false and err is nil.
func (b *Target) getObject(ctx context.Context, key string, limit int64) (data []byte, etag string, found bool, err error) {
	for try := 1; ; try++ {
		data, etag, found, err = b.tryGetObject(ctx, key, limit)
		if !errors.Is(err, errCutOff) || try == readTries {
			return data, etag, found, err
		}
		if pause.For(ctx, time.Duration(try)*100*time.Millisecond) != nil {
			return nil, "", false, err
		}
	}
}

// tryGetObject makes one attempt of getObject.
func (b *Target) tryGetObject(ctx context.Context, key string, limit int64) (data []byte, etag string, found bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(b.opt.Timeout, func() { cancel(context.DeadlineExceeded) })
	defer idle.Stop()

	body, info, _, err := b.at.Client.GetObject(ctx, b.at.Name, b.at.Prefix+key, minio.GetObjectOptions{})
	if isMissing(err) {
		return nil, "", false, nil
	}
	if err != nil {
		return nil, "", false, b.requestError("read", key, inTime(ctx, err))
	}
	defer body.Close()
	alive := readerFunc(func(p []byte) (int, error) {
		idle.Reset(b.opt.Timeout)
		return body.Read(p)
	})
	data, err = io.ReadAll(io.LimitReader(alive, limit+1))
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errCutOff, err)
	}
	if err != nil {
		return nil, "", false, b.requestError("read", key, inTime(ctx, err))
	}
	if int64(len(data)) > limit || int64(len(data)) != info.Size {
		return nil, "", false, b.requestError("read", key, fmt.Errorf("%d of %d bytes arrived", len(data), info.Size))
	}
	return data, info.ETag, true, nil
}

// inTime returns err, or context.DeadlineExceeded if the deadline caused it.
func inTime(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// isMissing reports whether err says that the object does not exist. It is
// false if the bucket does not exist.
func isMissing(err error) bool {
	return err != nil && minio.ToErrorResponse(err).Code == minio.NoSuchKey
}

// isRefused reports whether a write was refused, because its condition did not
// hold or another write of the object was in progress.
func isRefused(err error) bool {
	switch minio.ToErrorResponse(err).StatusCode {
	case http.StatusPreconditionFailed, http.StatusConflict:
		return true
	}
	return isMissing(err) // the answer to If-Match if the object is gone
}

// hasObject reports whether the object is stored with the wanted content and
// headers.
func (b *Target) hasObject(ctx context.Context, o *object) (bool, error) {
	ctx, cancel := b.withTimeout(ctx, 0)
	defer cancel()
	info, err := b.at.Client.StatObject(ctx, b.at.Name, b.at.Prefix+o.Key, minio.StatObjectOptions{})
	if isMissing(err) {
		return false, nil
	}
	if err != nil {
		return false, b.requestError("ask for", o.Key, err)
	}
	return headersOf(o.Key).matchesStored(info, o.SHA256, o.Size), nil
}

func listKey(name string) string { return listsFolder + name + listSuffix }

// readList reads the list of this name. If there is none, found is false and
// err is nil.
func (b *Target) readList(ctx context.Context, name string) (l *list, found bool, err error) {
	data, _, found, err := b.getObject(ctx, listKey(name), maxList)
	if err != nil || !found {
		return nil, false, err
	}
	l, err = decodeList(data, name)
	if err != nil {
		return nil, false, b.requestError("read", listKey(name), err)
	}
	return l, true, nil
}

// deleteBatch is the number of objects that one request deletes at most.
const deleteBatch = 1000

// removeObjects deletes objects. It ignores those that do not exist.
func (b *Target) removeObjects(ctx context.Context, keys []string) error {
	for len(keys) > 0 {
		n := min(len(keys), deleteBatch)
		if err := b.removeBatch(ctx, keys[:n]); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

func (b *Target) removeBatch(ctx context.Context, keys []string) error {
	ctx, cancel := b.withTimeout(ctx, 0)
	defer cancel()
	objects := make(chan minio.ObjectInfo, len(keys))
	for _, key := range keys {
		objects <- minio.ObjectInfo{Key: b.at.Prefix + key}
	}
	close(objects)
	var first error
	for failed := range b.at.Client.RemoveObjects(ctx, b.at.Name, objects, minio.RemoveObjectsOptions{}) {
		if first == nil && !isMissing(failed.Err) {
			first = b.requestError("delete", failed.ObjectName, failed.Err)
		}
	}
	if first == nil && ctx.Err() != nil {
		return b.requestError("delete from", keys[0], context.Cause(ctx))
	}
	return first
}
