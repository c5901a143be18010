package api

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"colophon/exports"
	"colophon/internal/citation"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// citeForms are the files of a citation, by ending.
var citeForms = map[string]string{
	"bib": "application/x-bibtex; charset=utf-8", "ris": "application/x-research-info-systems; charset=utf-8", "csl": "application/vnd.citationstyles.csl+json",
}

// CitationFile returns a citation as a file for a reference manager.
func (s *Service) CitationFile(ctx context.Context, c *request.Call) (*edge.Response, error) {
	entryID, form := c.Params["entry_id"], c.Path[strings.LastIndexByte(c.Path, '.')+1:]
	if !exports.ValidEntryID(entryID) {
		return nil, problem.New("not_found", "")
	}
	var cited exports.Citation
	err := s.Files.ReadRecord(ctx, exports.CitationPath(entryID), &cited)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.New("not_found", "")
	}
	if err != nil {
		return nil, err
	}
	resp := &edge.Response{Status: 200}
	switch form {
	case "bib":
		resp.Body = []byte(cited.BibTeX)
	case "ris":
		resp.Body = []byte(citation.RIS(&cited))
	default:
		resp.Body = wire.Append(nil, &exports.CSL{C: &cited})
	}
	resp.Header.Set("content-type", citeForms[form])
	resp.Header.Set("content-disposition", `attachment; filename="`+entryID+"."+form+`"`)
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	return request.AddValidators(c.Request, resp, request.EntityTag(resp.Body)), nil
}
