//go:build unix

// Package processcost tells benchmarks what their own process has cost. Processor
// time does not change while the machine is busy with other work, as time on the
// clock does.
package processcost

import (
	"syscall"
	"time"
)

// CPU returns the processor time that the process has used, for itself and in the
// system's calls. It returns 0 on Windows.
func CPU() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PeakMiB returns the most memory that the process has had on Linux, in MiB. It
// returns 0 on Windows.
func PeakMiB() float64 {
	return float64(usage().Maxrss) / 1024
}

func usage() syscall.Rusage {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it fails only for a wrong argument
	return u
}
