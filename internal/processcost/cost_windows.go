package processcost

import "time"

// CPU returns 0: benchmarks are not measured on Windows.
func CPU() time.Duration { return 0 }

// PeakMiB returns 0: benchmarks are not measured on Windows.
func PeakMiB() float64 { return 0 }
