package generator

import (
	"sync"

	"github.com/klauspost/compress/flate"

	"colophon/internal/segment"
	"colophon/internal/segment/document"
)

// fileLevel is how hard files in segments are compressed: see
// docs/decisions/storage.md.
const fileLevel = 5

// fileDeflaters are writers that no goroutine uses at the moment.
var fileDeflaters = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, fileLevel) // the level is valid
	return z
}}

// fileValue is the value of a file that stands in segments.
func fileValue(name string, data []byte) segment.Value {
	z := fileDeflaters.Get().(*flate.Writer)
	defer fileDeflaters.Put(z)
	return segment.Value{Key: segment.KeyOf(name), Data: document.AppendCompressedFile(nil, name, data, z)}
}
