package bucket

import (
	"context"

	"colophon/generator/target"
)

// Target publishes changes to a bucket, without a folder.
type Target struct {
	Bucket  *Bucket
	Release Release
	Options PublishOptions
}

var _ target.Target = (*Target)(nil)

// Publish applies changes to what is in the bucket. Errors as PublishFolder.
func (t *Target) Publish(ctx context.Context, c target.Changes, open target.Open) error {
	_, err := t.Bucket.publishRelease(ctx, t.Release, t.Options, source{
		list: func(before *list) ([]object, error) { return applyChanges(before, c), nil },
		open: open,
	})
	return err
}

// applyChanges returns the objects of a release after changes.
func applyChanges(before *list, c target.Changes) []object {
	after := make(map[string]object, len(before.Objects)+len(c.Added))
	for _, o := range before.Objects {
		after[o.Key] = o
	}
	for _, key := range c.Removed {
		delete(after, key)
	}
	for _, part := range [][]target.Object{c.Added, c.Changed, c.Root} {
		for _, o := range part {
			after[o.Key] = object{Key: o.Key, SHA256: o.SHA256, Size: o.Size, Headers: headersOf(o.Key).digestName()}
		}
	}
	l := list{}
	for _, o := range after {
		l.Objects = append(l.Objects, o)
	}
	l.sortRows()
	return l.Objects
}
