package main

import (
	"context"
	"sync"
	"time"

	"colophon/internal/registrydir"

	"colophon/internal/originsql"
	"colophon/internal/pause"
)

// startMaintenance does what a server does besides answering: it sends notifications and
// keeps the deadlines of requests, until the returned function is called,
// which waits for what is under way.
func (e *env) startMaintenance(ctx context.Context, s registrydir.Settings, store *originsql.Store) (stop func(), err error) {
	sender, err := e.newSender(s, store)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { sender.Run(ctx) }) //nolint:errcheck // it ends with ctx
	group.Go(func() { e.keepDeadlines(ctx, store) })
	return func() {
		cancel()
		group.Wait()
	}, nil
}

func (e *env) keepDeadlines(ctx context.Context, store *originsql.Store) {
	for {
		if _, err := e.runMaintenance(ctx, store, time.Now()); err != nil && ctx.Err() == nil {
			e.PrintNote("deadlines: %v", err)
		}
		if pause.For(ctx, 5*time.Minute) != nil {
			return
		}
	}
}
