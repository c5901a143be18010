package serving

import (
	"context"
	"sync"
	"time"

	"colophon/internal/cli"
	"colophon/internal/cli/correspondence"
	"colophon/internal/cli/notices"
	"colophon/internal/originsql"
	"colophon/internal/pause"
	"colophon/internal/registrydir"
)

// startMaintenance starts the server's background work: sending notifications
// and processing the deadlines of requests. It runs until the returned function
// is called, which waits for what is under way.
func startMaintenance(ctx context.Context, e *cli.Env, s registrydir.Settings, store *originsql.Store) (stop func(), err error) {
	sender, err := notices.NewSender(e, s, store)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { sender.Run(ctx) }) //nolint:errcheck // it ends with ctx
	group.Go(func() { keepDeadlines(ctx, e, store) })
	return func() {
		cancel()
		group.Wait()
	}, nil
}

func keepDeadlines(ctx context.Context, e *cli.Env, store *originsql.Store) {
	for {
		if _, err := correspondence.RunMaintenance(ctx, store, time.Now()); err != nil && ctx.Err() == nil {
			e.PrintNote("deadlines: %v", err)
		}
		if pause.For(ctx, 5*time.Minute) != nil {
			return
		}
	}
}
