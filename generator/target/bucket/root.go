package bucket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"colophon/generator/target"
)

// ErrLost is returned if another publisher replaced the root, or took over the
// lease, during the publication.
var ErrLost = errors.New("another publisher took over")

// rootVersion is the version of the format of the notes in a bucket.
const rootVersion = 1

// root is the note that says what is published.
type root struct {
	Version   int    `json:"version"`
	Release   string `json:"release"`
	BaseURL   string `json:"base_url,omitempty"`
	Changes   int64  `json:"changes"`       // number of changes of the origin in the release
	Latest    string `json:"latest_change"` // instant of the last change; "" for an empty origin
	List      string `json:"list"`          // SHA-256 of the list, which is its name
	Objects   int64  `json:"objects"`
	Bytes     int64  `json:"bytes"`
	Publisher string `json:"publisher"` // id of the run that wrote the root
	Written   int64  `json:"written"`   // number of roots written before this one

	etag string // "" if the bucket has no root
}

// readRoot reads the root. If nothing is published, it returns a root without a
// list.
func (b *Target) readRoot(ctx context.Context) (*root, error) {
	data, etag, found, err := b.getObject(ctx, rootKey, maxNote)
	if err != nil {
		return nil, err
	}
	if !found {
		return &root{}, nil
	}
	r := &root{etag: etag}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, b.requestError("read", rootKey, fmt.Errorf("%w: %w", target.ErrDamaged, err))
	}
	if r.Version != rootVersion {
		return nil, b.requestError("read", rootKey, fmt.Errorf("it was written by another version of the program (%d)", r.Version))
	}
	return r, nil
}

// replaceRoot replaces the root before, as it was read, by next. It returns
// ErrLost if another root has been written meanwhile.
func (b *Target) replaceRoot(ctx context.Context, before, next *root) error {
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	etag, err := b.putNote(ctx, rootKey, data, condition{absent: before.etag == "", etag: before.etag})
	if err == nil {
		next.etag = etag
		return nil
	}

	// The write may have succeeded although its answer was lost, and the
	// client's own retry is then refused.
	stored, etag, found, readErr := b.getObject(ctx, rootKey, maxNote)
	if readErr == nil && found && bytes.Equal(stored, data) {
		next.etag = etag
		return nil
	}
	if isRefused(err) && readErr == nil {
		return fmt.Errorf("%w: the release in %s is not the one that was compared with", ErrLost, b)
	}
	return b.requestError("write", rootKey, err)
}
