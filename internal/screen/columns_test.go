package screen

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"

	"colophon/internal/assert"
)

// readAll returns the addresses and texts of a file with that name and content,
// with "|" between rows.
func readAll(t *testing.T, in Input, name string, content []byte) (addresses, texts string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, content, 0o600))
	var urls, plain []string
	err = in.Read(path, func(r Row) error {
		urls, plain = append(urls, r.URL), append(plain, r.Text)
		return nil
	})
	return strings.Join(urls, "|"), strings.Join(plain, "|"), err
}

func utf16Of(text string, order binary.ByteOrder) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		b = append(b, 0, 0)
		order.PutUint16(b[len(b)-2:], unit)
	}
	return b
}

// TestColumnsAreFound checks that columns and members are found under the names
// that people give them.
func TestColumnsAreFound(t *testing.T) {
	const one, two = "https://harbor.example/a", "https://harbor.example/b"
	for _, c := range []struct {
		name, content string
		in            Input
		want          string
	}{
		{"a.jsonl", `{"url":"` + one + `"}`, Input{}, one},
		{"a.jsonl", `{"URL":"` + one + `"}`, Input{}, one},
		{"a.jsonl", `{"Url":"` + one + `","url":"` + two + `"}`, Input{}, two},
		{"a.jsonl", strings.Repeat(`{"Url":"`+two+`","uRL":"","URL":"`+one+`"}`+"\n", 20), Input{}, strings.Repeat(one+"|", 19) + one},
		{"a.jsonl", `{"meta":{"url":"` + one + `"}}`, Input{URLColumn: "meta.url"}, one},
		{"a.jsonl", `{"Meta":{"x":{"URL":"` + one + `"}},"meta":{"x":{"URL":"` + two + `"}}}`, Input{URLColumn: "meta.x.url"}, two},
		{"a.jsonl", `{"meta.url":"` + one + `","meta":{"url":"` + two + `"}}`, Input{URLColumn: "meta.url"}, one},
		{"a.jsonl", "\ufeff" + `{"url":"` + one + `"}`, Input{}, one},
		{"a.jsonl", `{"a":1}` + "\n" + `{"adress":"` + one + `"}`, Input{URLColumn: "adress"}, "|" + one},
		{"a.csv", "URL,title\n" + one + ",x\n", Input{}, one},
		{"a.csv", "\ufeffurl\n" + one + "\n", Input{}, one},
		{"a.csv", "Address,url\n" + one + ",x\n", Input{URLColumn: "address"}, one},
		{"a.txt", "\ufeff" + one + "\r\n" + two, Input{}, one + "|" + two},
		{"a.txt", `"` + one + `"` + "\n'" + two + "'", Input{}, one + "|" + two},
		{"a.txt", `"` + one + `","200"`, Input{}, one},
		{"a.txt", "<" + one + ">\n < " + two + " > ", Input{}, one + "|" + two},
		{"a.txt", one + "\t200\n" + two + " 0.5", Input{}, one + "|" + two},
		{"a.txt", one + "?a=1,2", Input{}, one + "?a=1,2"},
	} {
		if got, _, err := readAll(t, c.in, c.name, []byte(c.content)); err != nil || got != c.want {
			t.Errorf("%s %q: %q, %v, want %q", c.name, c.content, got, err, c.want)
		}
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if got, _, err := readAll(t, Input{}, "a.txt", utf16Of(one+"\r\n"+two+"\r\n", order)); err != nil || got != one+"|"+two {
			t.Errorf("UTF-16: %q, %v", got, err)
		}
	}
}

// TestColumnsThatAreNotThere checks that a column which is named but missing
// ends the screening, with the names of the existing columns.
func TestColumnsThatAreNotThere(t *testing.T) {
	type nested struct {
		Link string `parquet:"link"`
	}
	type row struct {
		Address string   `parquet:"Address"`
		Links   []string `parquet:"links,list"`
		Meta    nested   `parquet:"meta"`
		Size    int64    `parquet:"size"`
	}
	var file bytes.Buffer
	must(t, parquet.Write(&file, []row{{"https://harbor.example/a", []string{"https://harbor.example/b"}, nested{"https://harbor.example/c"}, 1}}))
	table := file.String()
	for _, c := range []struct {
		name, content string
		in            Input
		has           string
	}{
		{"a.jsonl", `{"url":"x","title":"y"}`, Input{URLColumn: "adress"}, "title, url"},
		{"a.jsonl", `{"url":"x"}`, Input{URLColumn: "url", TextColumn: "body"}, "url"},
		{"a.jsonl", `{"meta":"x"}`, Input{URLColumn: "meta.url"}, "meta"},
		{"a.csv", "url,title\nx,y\n", Input{URLColumn: "adress"}, "url, title"},
		{"a.parquet", table, Input{URLColumn: "adress"}, "Address, meta.link"},
		{"a.parquet", table, Input{URLColumn: "links"}, "Address, meta.link"},
		{"a.parquet", table, Input{URLColumn: "size"}, "Address, meta.link"},
	} {
		_, _, err := readAll(t, c.in, c.name, []byte(c.content))
		var column *ColumnError
		if !errors.As(err, &column) || strings.Join(column.Has, ", ") != c.has || errors.Is(err, ErrInput) {
			t.Errorf("%s %q: %v", c.name, c.in.URLColumn, err)
		}
	}
	for name, want := range map[string]string{"address": "https://harbor.example/a", "META.link": "https://harbor.example/c"} {
		if got, _, err := readAll(t, Input{URLColumn: name}, "a.parquet", []byte(table)); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, c := range [][2]string{{"a.jsonl", `{"adress":"x"}`}, {"a.csv", "adress\nx\n"}, {"a.parquet", table}} {
		if _, _, err := readAll(t, Input{}, c[0], []byte(c[1])); !errors.Is(err, ErrInput) || !errors.Is(err, errNoColumn) || !strings.Contains(strings.ToLower(err.Error()), "adress") && c[0] != "a.parquet" {
			t.Errorf("%s without the usual columns: %v", c[0], err)
		}
	}
}

// TestUnusableRowsAreCounted checks that rows without anything to look up are
// counted.
func TestUnusableRowsAreCounted(t *testing.T) {
	for text, want := range map[string]bool{
		"https://harbor.example/a": true, "HTTP://harbor.example": true, " https://harbor.example/ ": true, "": false, "harbor.example": false, "mailto:desk@harbor.example": false, "ftp://harbor.example/": false, "https://": false, "12": false,
	} {
		assert.Equal(t, isWebAddress(text), want, "%q is an address", text)
	}
	r := &Report{Matched: map[string]int64{}}
	for _, unusable := range []bool{true, false, true} {
		r.add(&Result{Unusable: unusable})
	}
	assert.Equal(t, r.Unusable, 2, "rows are counted")
}

// TestCellsAreNoFormulas writes addresses, files and errors that a spreadsheet
// would run as formulas.
func TestCellsAreNoFormulas(t *testing.T) {
	for _, text := range []string{`=HYPERLINK("https://a.example")`, "+1", "-1", "@SUM(A1)", "\tx", "\rx"} {
		assert.Equal(t, cell(text), "'"+text, "%q is written as", text)
	}
	var out bytes.Buffer
	rows := &csvRows{csv.NewWriter(&out)}
	must(t, rows.write([]outRow{{Source: "=1.csv", URL: "=HYPERLINK(1)", Publisher: "+Harbor", Fault: "@x"}}))
	if got := out.String(); !strings.HasPrefix(got, "'=1.csv,0,'=HYPERLINK(1),") || !strings.Contains(got, ",'+Harbor,") || !strings.HasSuffix(got, ",'@x,,\n") {
		t.Errorf("the row is %q", got)
	}
	assert.Equal(t, cell("https://harbor.example/="), "https://harbor.example/=", "an address is written as")
}
