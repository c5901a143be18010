package inquiry

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// MaintenanceStore is what RunMaintenance needs of the origin.
type MaintenanceStore interface {
	origin.Deadlines
	origin.Requests
	Sweep(ctx context.Context, now string) (int64, error)
	// EraseUseReports deletes reports of use that came before an instant.
	EraseUseReports(ctx context.Context, before string, limit int) (int64, error)
}

// MaintenanceResult is what a run of RunMaintenance did.
type MaintenanceResult struct {
	Delivered int64 // requests whose delivery was interrupted
	Reminded  int64
	Expired   int64
	Erased    int64
	Forgotten int64 // idempotency keys
	Reports   int64 // events of reports of use that were erased
	Swept     int64 // counters and spent proofs
}

// batch bounds how much of each kind one run does.
const batch = 500

// RunMaintenance does what is due with time: it delivers requests left behind,
// reminds silent publishers after 15 and 35 days, lets requests expire after
// 55, erases those that ended 180 days ago and uses that were reported 180 days
// ago, and removes old keys and counters.
// It may run any number of times, also concurrently.
func RunMaintenance(ctx context.Context, store MaintenanceStore, now time.Time) (MaintenanceResult, error) {
	var t MaintenanceResult
	at := exports.Instant(now)
	ago := func(days int) string { return daysAfter(at, -days) }
	keys := exports.IdempotencyDays
	for _, step := range []struct {
		n  *int64
		do func() (int64, error)
	}{
		{&t.Delivered, func() (int64, error) { return DeliverLate(ctx, store, now) }},
		{&t.Expired, func() (int64, error) {
			return store.Expire(ctx, stateNames(expirable), ago(ExpiryDays), string(Expired), at, batch)
		}},
		{&t.Reminded, func() (int64, error) {
			return store.Remind(ctx, stateNames(expirable), ago(SecondReminderDays), 2, at, batch)
		}},
		{&t.Reminded, func() (int64, error) {
			return store.Remind(ctx, stateNames(expirable), ago(ReminderDays), 1, at, batch)
		}},
		{&t.Erased, func() (int64, error) { return store.Erase(ctx, stateNames(terminal), ago(EraseDays), at, batch) }},
		{&t.Forgotten, func() (int64, error) { return store.ForgetKeys(ctx, ago(keys), batch) }},
		{&t.Reports, func() (int64, error) { return store.EraseUseReports(ctx, ago(EraseDays), 20*batch) }},
		{&t.Swept, func() (int64, error) { return store.Sweep(ctx, at) }},
	} {
		n, err := step.do()
		*step.n += n
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// DeliverLate delivers or holds requests that have been received for a minute
// because the process that accepted them ended too early. It returns their
// number.
func DeliverLate(ctx context.Context, store MaintenanceStore, now time.Time) (n int64, err error) {
	late, err := store.Waiting(ctx, string(Received), exports.Instant(now.Add(-time.Minute)), batch)
	for _, r := range late {
		done, err := store.MoveRequest(ctx, deliveryOf(r, exports.Instant(now)))
		if err != nil {
			return n, err
		}
		if done {
			n++
		}
	}
	return n, err
}
