package site

import (
	"bytes"
	"compress/gzip"
	"path"
	"testing"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
)

// budgets are the most bytes that assets may have when compressed.
var budgets = map[string]int{
	"site.css":        6 << 10,
	"copy.js":         3 << 10,
	"check.js":        2 << 10,
	"editor.js":       6 << 10,
	"narrow.js":       3 << 10,
	"request.js":      3 << 10,
	"shortlist.js":    2 << 10,
	"verify.js":       6 << 10,
	"conversation.js": 4 << 10,
	"favicon.svg":     1 << 10,
}

func TestAssetsStayWithinTheirBudgets(t *testing.T) {
	m := minify.New()
	m.AddFunc(".css", css.Minify)
	m.AddFunc(".js", js.Minify)
	files, err := Assets()
	must(t, err)
	seen := 0
	for _, f := range files {
		limit, ok := budgets[f.Name]
		if !ok {
			continue
		}
		seen++
		data := f.Data
		if ext := path.Ext(f.Name); ext != ".svg" {
			if data, err = m.Bytes(ext, data); err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		z.Write(data)
		z.Close()
		t.Logf("%s: %d bytes, %d minified, %d compressed of %d", f.Name, len(f.Data), len(data), b.Len(), limit)
		if b.Len() > limit {
			t.Errorf("%s is %d bytes compressed, more than %d", f.Name, b.Len(), limit)
		}
	}
	if seen != len(budgets) {
		t.Errorf("%d of %d assets with a budget exist", seen, len(budgets))
	}
}
