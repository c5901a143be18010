package worker

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/wire"
)

// published reads published files as records.
type published struct{ assets Assets }

// listPublishers is the published list of publishers; none is published, none is listed.
func (p published) listPublishers(ctx context.Context) ([]exports.PublisherSummary, error) {
	v, err := p.readValue(ctx, exports.PathPublishers)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	data := v.Get("data")
	if err != nil || data == nil {
		return nil, err
	}
	out := make([]exports.PublisherSummary, len(data.Items))
	for i := range data.Items {
		if err := wire.DecodeValue(&data.Items[i], &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p published) readPublisher(ctx context.Context, siteID string) (r exports.Publisher, err error) {
	v, err := p.readValue(ctx, exports.PublisherPath(siteID))
	if err == nil {
		err = wire.DecodeValue(&v, &r)
	}
	return r, err
}

func (p published) readValue(ctx context.Context, path string) (wire.Value, error) {
	key := exports.KeyOf(path)
	if key == "" {
		return wire.Value{}, fs.ErrNotExist
	}
	body, err := p.assets.Read(ctx, string(key))
	if err != nil {
		return wire.Value{}, err
	}
	return wire.Parse(body, wire.Trusted)
}
