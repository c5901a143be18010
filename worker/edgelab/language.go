package edgelab

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"colophon/worker/edge"
)

// language answers "as Go does", or says what the compiler or the runtime does
// differently. The worker relies on each case, and another release of TinyGo
// could change it.
func (l *Lab) language(_ context.Context, r *edge.Request) *edge.Response {
	for _, c := range []struct {
		name string
		does bool
	}{
		{"maps with keys of structs", keysOfStructs()},
		{"maps with keys of interfaces", keysOfInterfaces()},
		{"deletion while a map is ranged over", deletionInRange()},
		{"errors.As", errorsAs()},
		{"order of deferred calls", deferredOrder() == "cba"},
		{"a variable for each turn of a loop", loopVariables() == "012"},
		{"sorting", sorting(len(r.Path))},
		{"integers of 64 bits", wideIntegers(int64(len(r.Path)))},
	} {
		if !c.does {
			return text(c.name)
		}
	}
	return text("as Go does")
}

func keysOfStructs() bool {
	type key struct {
		name string
		n    int64
	}
	m := map[key]int{}
	for i := range 100 {
		m[key{strconv.Itoa(i % 10), int64(i)}] = i
	}
	return len(m) == 100 && m[key{"7", 47}] == 47
}

func keysOfInterfaces() bool {
	m := map[any]int{"1": 1, 1: 2, int64(1): 3, 1.5: 4, [2]string{"a", "b"}: 5}
	return len(m) == 5 && m["1"] == 1 && m[1] == 2 && m[int64(1)] == 3 && m[1.5] == 4 && m[[2]string{"a", "b"}] == 5
}

func deletionInRange() bool {
	m, seen := map[int]bool{}, map[int]bool{}
	for i := range 50 {
		m[i] = true
	}
	for k := range m {
		if seen[k] {
			return false
		}
		seen[k] = true
		delete(m, k)
	}
	return len(m) == 0 && len(seen) == 50
}

func errorsAs() bool {
	err := errors.Join(errors.New("other"), &fs.PathError{Op: "read", Path: "p", Err: fs.ErrNotExist})
	var found *fs.PathError
	return errors.As(err, &found) && found.Path == "p" && errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist)
}

func deferredOrder() (order string) {
	for _, s := range []string{"a", "b", "c"} {
		defer func() { order += s }()
	}
	return ""
}

func loopVariables() string {
	var calls []func() string
	for i := range 3 {
		calls = append(calls, func() string { return strconv.Itoa(i) })
	}
	var b strings.Builder
	for _, f := range calls {
		b.WriteString(f())
	}
	return b.String()
}

func sorting(n int) bool {
	m := map[string]int{}
	for i := range 40 * n {
		m[strconv.Itoa(i)] = i
	}
	keys := slices.Sorted(maps.Keys(m))
	slices.SortFunc(keys, func(a, b string) int { return m[b] - m[a] })
	return len(keys) == 40*n && keys[0] == strconv.Itoa(40*n-1) && keys[40*n-1] == "0"
}

// wideIntegers computes with n, which is 9, so that the compiler cannot
// precompute the result.
func wideIntegers(n int64) bool {
	wide := n << 40
	return wide == 9_895_604_649_984 && wide/n == 1<<40 && -wide%7 == -(wide%7) && uint64(-n)>>1 == 9_223_372_036_854_775_803 &&
		strconv.FormatInt(-wide, 10) == "-9895604649984" && float64(wide)*0.5 == 4_947_802_324_992
}

// waiter is called through an interface.
type waiter interface {
	wait(ctx context.Context, n int) (int, error)
}

// nested waits for a file below the given number of calls, a third of which go
// through an interface and a third through a closure.
type nested struct{ lab *Lab }

func (w nested) wait(ctx context.Context, n int) (int, error) {
	if n == 0 {
		_, err := w.lab.Read(ctx, "small.json")
		return 0, err
	}
	var kept [64]int // what must survive the wait
	for i := range kept {
		kept[i] = n
	}
	scale := float64(n) + 0.25
	next := w.wait
	switch n % 3 {
	case 0:
		next = waiter(w).wait
	case 1:
		next = func(ctx context.Context, n int) (int, error) { return w.wait(ctx, n) }
	}
	sum, err := next(ctx, n-1)
	for _, k := range kept {
		if k != n || scale-0.25 != float64(n) {
			return 0, errors.New("lost at " + strconv.Itoa(n))
		}
	}
	return sum + n, err
}

// depth adds up 1 to ?n=, with a wait below all the calls: eighty take most
// of a goroutine's stack.
func (l *Lab) depth(ctx context.Context, r *edge.Request) *edge.Response {
	sum, err := nested{l}.wait(ctx, number(r, "n"))
	if err != nil {
		return text(err.Error())
	}
	return text(strconv.Itoa(sum))
}
