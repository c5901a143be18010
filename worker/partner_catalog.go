package worker

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

func partnerCatalog(ctx context.Context, c *call, _ *auth.Partner) (*edge.Response, error) {
	list, err := c.deps.catalog.PartnerCatalog(ctx, c.pagingAsk(), listing.PublisherFilter{
		Category: c.allValues("category"), PreferredUse: c.allValues("preferred_use"), ContentFormat: c.allValues("content_format"), Audience: c.allValues("audience"),
		TechnicalDepth: c.allValues("technical_depth"), RAGSuitability: c.query.get("rag_suitability"),
		MinRegisteredPages: c.query.get("min_registered_pages"), Verified: c.query.get("verified"),
	})
	if err != nil {
		return nil, err
	}
	resp := respondRecord(200, list)
	addNext(resp, list.Links.Next)
	return resp, nil
}

// partnerCategories and partnerPublisher answer from published files.
func partnerCategories(ctx context.Context, c *call, _ *auth.Partner) (*edge.Response, error) {
	return c.publishedFile(ctx, exports.PathCategories, "not_found")
}

func partnerPublisher(ctx context.Context, c *call, _ *auth.Partner) (*edge.Response, error) {
	return c.publishedFile(ctx, exports.PublisherPath(c.path["site_id"]), "site_not_found")
}

func (c *call) publishedFile(ctx context.Context, path, missing string) (*edge.Response, error) {
	key := exports.KeyOf(path)
	if key == "" {
		return nil, problem.New(missing, "")
	}
	body, err := c.deps.Assets.Read(ctx, string(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New(missing, "")
	}
	if err != nil {
		return nil, err
	}
	resp := &edge.Response{Status: 200, Body: body}
	resp.Header.Set("content-type", exports.MediaJSON)
	return resp, nil
}
