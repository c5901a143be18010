package main

import (
	"context"
	"time"

	"colophon/internal/registrydir"

	"colophon/internal/inquiry"
	"colophon/internal/originsql"
)

// runMaintenance keeps the deadlines as long as the clock can be believed. It removes
// the bytes of what was erased from the write-ahead log.
func (e *env) runMaintenance(ctx context.Context, store *originsql.Store, now time.Time) (inquiry.MaintenanceResult, error) {
	ticked, err := inquiry.KeepDeadlines(ctx, store, now)
	if err != nil {
		return ticked, err
	}
	if ticked.Erased > 0 && store.DB() != nil {
		return ticked, registrydir.TruncateLog(ctx, store.DB())
	}
	return ticked, nil
}
