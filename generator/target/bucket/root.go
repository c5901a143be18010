package bucket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"colophon/generator/target"
)

// ErrLost means that another publisher replaced the root, or took over the
// lease, while this one worked.
var ErrLost = errors.New("another publisher took over")

// rootVersion is that of the notes in a bucket.
const rootVersion = 1

// root says what is published.
type root struct {
	Version   int    `json:"version"`
	Release   string `json:"release"`
	BaseURL   string `json:"base_url,omitempty"`
	Changes   int64  `json:"changes"`       // changes of the origin that the release holds
	Latest    string `json:"latest_change"` // instant of the last one, "" of an empty origin
	List      string `json:"list"`          // SHA-256 of the list, which is its name
	Objects   int64  `json:"objects"`
	Bytes     int64  `json:"bytes"`
	Publisher string `json:"publisher"` // id of the run that wrote the root
	Written   int64  `json:"written"`   // how many roots were written before this one

	etag string // "" of a bucket that has none
}

// readRoot reads what is published, a root without a list if nothing is.
func (b *Bucket) readRoot(ctx context.Context) (*root, error) {
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

// replaceRoot replaces the root that was read by the next one. It returns ErrLost
// if another one has been written meanwhile.
func (b *Bucket) replaceRoot(ctx context.Context, before, next *root) error {
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	etag, err := b.putNote(ctx, rootKey, data, condition{absent: before.etag == "", etag: before.etag})
	if err == nil {
		next.etag = etag
		return nil
	}

	// The answer may have been lost after the root was written, and the
	// client's own retry refused: look.
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
