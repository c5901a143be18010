package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// inMemory is the size up to which a file is read into memory before it is
// sent.
const inMemory = 8 << 20

// checkSource compares all files that will be sent with their digests.
func (p *publication) checkSource(ctx context.Context) error {
	for _, tasks := range p.plan.tasks {
		err := forEach(ctx, tasks, runtime.GOMAXPROCS(0), func(_ context.Context, t *task) error {
			return p.from.checkFile(&t.object)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sendObjects stores all objects, phase by phase.
func (p *publication) sendObjects(ctx context.Context) error {
	for at := range phases {
		parallel := p.bucket.opt.Parallel
		if at == phaseRoot {
			parallel = 1
		}
		if err := forEach(ctx, p.plan.tasks[at], parallel, p.sendOne); err != nil {
			return err
		}
	}
	return nil
}

// forEach calls do for the tasks, in order if parallel is 1, and stops at the
// first error, which it returns.
func forEach(ctx context.Context, tasks []task, parallel int, do func(context.Context, *task) error) error {
	group, working := errgroup.WithContext(ctx)
	next := make(chan *task)
	group.Go(func() error {
		defer close(next)
		for i := range tasks {
			select {
			case next <- &tasks[i]:
			case <-working.Done():
				return nil // the caller that ended the context returns the error
			}
		}
		return nil
	})
	for range min(parallel, len(tasks)) {
		group.Go(func() error {
			for t := range next {
				if err := do(working, t); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// sendOne stores an object, unless it is stored already.
func (p *publication) sendOne(ctx context.Context, t *task) error {
	if !p.lease.isValid() {
		return fmt.Errorf("%w, or could have: the lease of %s was not renewed in time", ErrLost, p.bucket)
	}
	if there, err := p.isPresent(ctx, t); there || err != nil {
		return err
	}
	if err := p.storeObject(ctx, &t.object); err != nil {
		return err
	}
	p.countSent(t)
	return nil
}

// previewTasks counts what sendObjects would send. It requests the state of
// objects that may be stored already.
func (p *publication) previewTasks(ctx context.Context) error {
	for _, tasks := range p.plan.tasks {
		err := forEach(ctx, tasks, p.bucket.opt.Parallel, func(ctx context.Context, t *task) error {
			if there, err := p.isPresent(ctx, t); there || err != nil {
				return err
			}
			p.countSent(t)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isPresent reports whether an object that may be stored already is stored, and
// counts it.
func (p *publication) isPresent(ctx context.Context, t *task) (bool, error) {
	if !t.doubted {
		return false, nil
	}
	there, err := p.bucket.hasObject(ctx, &t.object)
	if there {
		p.present.Add(1)
		p.advancePhase()
	}
	return there, err
}

func (p *publication) countSent(t *task) {
	p.sent.Add(1)
	p.sentBytes.Add(t.Size)
	p.advancePhase()
}

func (p *publication) advancePhase() {
	done := p.done.Add(1)
	if p.opt.Progress != nil {
		p.opt.Progress(done, int64(p.plan.countTasks()), "objects")
	}
}

// storeObject sends the content of an object. The service compares the content
// with the digest in the request.
func (p *publication) storeObject(ctx context.Context, o *object) error {
	content, err := p.from.open(o.Key)
	if err != nil {
		return err
	}
	defer content.Close()

	body, seekable := content.(io.ReadSeeker)
	if o.Size <= inMemory || !seekable {
		data := make([]byte, o.Size)
		if _, err := io.ReadFull(content, data); err != nil {
			return mismatchError(o.Key)
		}
		if sha256.Sum256(data) != o.SHA256 {
			return mismatchError(o.Key)
		}
		body = bytes.NewReader(data)
	}
	if _, err := p.bucket.putObject(ctx, o.Key, body, o.Size, o.SHA256, headersOf(o.Key), condition{}); err != nil {
		return p.bucket.requestError("write", o.Key, err)
	}
	return nil
}
