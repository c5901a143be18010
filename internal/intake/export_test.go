package intake

// SetSampleSize lets tests learn templates from fewer pages.
func SetSampleSize(n int) { sampleSize = n }
