package correspondence

import (
	"context"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

// RunMaintenance processes deadlines while the clock is plausible. It removes
// the bytes of erased data from the write-ahead log.
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
