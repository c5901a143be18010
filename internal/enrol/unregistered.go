package enrol

import (
	"context"
	"slices"
	"strings"

	"colophon/internal/intake"
	"colophon/internal/observed"
	"colophon/internal/origin"
)

// ReadUnregistered fetches any page and reads what it and its host state about
// rights now, as a build reads what an import observed. It obeys robots.txt and
// reaches no private address. It returns an error that says why nothing could
// be seen.
func ReadUnregistered(ctx context.Context, opt intake.Options, page string) ([]origin.Evidence, error) {
	p, err := intake.NewProver(opt)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	seen, err := p.Look(ctx, page)
	if err != nil {
		return nil, err
	}
	left := observed.SiteBudget
	out := make([]origin.Evidence, len(seen))
	for i := range seen {
		out[i] = observed.EvidenceOf(&seen[i], &left)
	}
	slices.SortStableFunc(out, func(a, b origin.Evidence) int {
		return strings.Compare(a.Channel+" "+a.URL, b.Channel+" "+b.URL)
	})
	return out, nil
}

// Reached reports whether anything of a site answered.
func Reached(found []origin.Evidence) bool {
	return slices.ContainsFunc(found, func(e origin.Evidence) bool { return e.State != "unreachable" })
}
