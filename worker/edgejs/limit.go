//go:build js && wasm

package edgejs

import (
	"context"
	"strconv"
)

// Limit counts one use of key against the named policy ("partner") and reports
// whether it was within the limit. The binding of a policy is RL_ and its name
// in upper case, with _ for -; it has its own limit and period, and counts per
// location with eventual consistency. Without the binding the script counts
// itself: calls calls in seconds seconds.
func Limit(_ context.Context, policy, key string, calls, seconds int64) (bool, error) {
	arg := append([]byte(policy), '\n')
	arg = append(strconv.AppendInt(arg, calls, 10), '\n')
	arg = append(strconv.AppendInt(arg, seconds, 10), '\n')
	_, ok, err := ask(opLimit, append(arg, key...))
	return ok, err
}
