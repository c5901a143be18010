package worker

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// citeForms are the files of a citation, by ending.
var citeForms = []struct{ name, media string }{
	{"bib", "application/x-bibtex; charset=utf-8"}, {"ris", "application/x-research-info-systems; charset=utf-8"}, {"csl", "application/vnd.citationstyles.csl+json"},
}

// citeOf tells which entry and form a path below the page of an entry names.
func citeOf(path string) (entryID, form, media string) {
	rest, ok := strings.CutPrefix(path, "/citations/")
	if !ok {
		return "", "", ""
	}
	for _, f := range citeForms {
		if id, ok := strings.CutSuffix(rest, "/cite."+f.name); ok && exports.ValidEntryID(id) {
			return id, f.name, f.media
		}
	}
	return "", "", ""
}

// citeFile is a citation as a file for a reference manager.
func citeFile(ctx context.Context, c *call) (*edge.Response, error) {
	entryID, form, media := citeOf(c.Path)
	doc, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(exports.CitationPath(entryID))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, newFailure("not_found", "")
	}
	if err != nil {
		return nil, err
	}
	var cited exports.Citation
	if err := wire.Decode(doc, &cited, wire.Trusted); err != nil {
		return nil, err
	}
	resp := &edge.Response{Status: 200}
	switch form {
	case "bib":
		resp.Body = []byte(cited.BibTeX)
	case "ris":
		resp.Body = []byte(exports.RIS(&cited))
	default:
		resp.Body = wire.Append(nil, &exports.CSL{C: &cited})
	}
	resp.Header.Set("content-type", media)
	resp.Header.Set("content-disposition", `attachment; filename="`+entryID+"."+form+`"`)
	resp.Header.Set("cache-control", cacheComputed)
	return addValidators(c.Request, resp, entityTag(resp.Body)), nil
}
