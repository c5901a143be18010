package correspondence

import (
	"context"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// RunMaintenance keeps the deadlines as long as the clock can be believed. It removes
// the bytes of what was erased from the write-ahead log.
func RunMaintenance(ctx context.Context, store *originsql.Store, now time.Time) (inquiry.MaintenanceResult, error) {
	result, err := inquiry.KeepDeadlines(ctx, store, now)
	if err != nil {
		return result, err
	}
	if result.Erased > 0 && store.DB() != nil {
		return result, registrydir.TruncateLog(ctx, store.DB())
	}
	return result, nil
}
