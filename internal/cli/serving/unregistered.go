package serving

import (
	"context"

	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/registrydir"
	"colophon/worker/web"
)

// readUnregistered returns the function by which the check page looks at
// unregistered sites, if the operator allows it: within the guard of imports, a
// few at once.
func readUnregistered(s registrydir.Settings) web.UnregisteredReader {
	if !s.ReadUnregistered {
		return nil
	}
	slots := make(chan struct{}, joinLooks)
	return func(ctx context.Context, url string) ([]origin.Evidence, bool) {
		select {
		case slots <- struct{}{}:
		default:
			return nil, false
		}
		defer func() { <-slots }()
		ctx, cancel := context.WithTimeout(ctx, joinLookTime)
		defer cancel()
		opt := intake.Options{Contact: s.Contact, Registry: s.BaseURL, Timeout: joinLookTime / 2, Retries: -1}
		found, err := enrol.ReadUnregistered(ctx, opt, url)
		return found, err == nil && enrol.Reached(found)
	}
}
