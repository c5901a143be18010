package partner

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Search answers GET /v1/partner/catalog/search.
func (s *Service) Search(ctx context.Context, c *request.Call, _ *auth.Partner) (*edge.Response, error) {
	list, err := s.Catalog.PartnerCatalog(ctx, c.Paging(), listing.PublisherFilter{
		Category: c.All("category"), PreferredUse: c.All("preferred_use"), ContentFormat: c.All("content_format"), Audience: c.All("audience"),
		TechnicalDepth: c.All("technical_depth"), RAGSuitability: c.Values.Get("rag_suitability"),
		MinRegisteredPages: c.Values.Get("min_registered_pages"), Verified: c.Values.Get("verified"),
	})
	if err != nil {
		return nil, err
	}
	resp := request.Record(200, list)
	request.AddNext(resp, list.Links.Next)
	return resp, nil
}

// Categories answers GET /v1/partner/catalog/categories from a published file.
func (s *Service) Categories(ctx context.Context, c *request.Call, _ *auth.Partner) (*edge.Response, error) {
	return s.publishedFile(ctx, exports.PathCategories, "not_found")
}

// Publisher answers GET /v1/partner/catalog/publishers/{site_id} from a
// published file.
func (s *Service) Publisher(ctx context.Context, c *request.Call, _ *auth.Partner) (*edge.Response, error) {
	return s.publishedFile(ctx, exports.PublisherPath(c.Params["site_id"]), "site_not_found")
}

func (s *Service) publishedFile(ctx context.Context, path, missing string) (*edge.Response, error) {
	body, err := s.Files.ReadPath(ctx, path)
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
