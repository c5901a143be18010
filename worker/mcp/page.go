package mcp

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"colophon/exports"
	"colophon/internal/wire"
)

var errNoList = errors.New("the published file is not a list")

// slicePage takes a part of a published list without reading its records: it
// cuts their bytes out and puts them into an envelope of their own. With keep,
// only the records count for which it is true.
func slicePage(list []byte, self string, limit, offset int64, keep func(record []byte) bool) ([]byte, error) {
	records, ok := records(list)
	catalog, found := release(list)
	if !ok || !found {
		return nil, errNoList
	}
	if keep != nil {
		records = slices.DeleteFunc(records, func(r []byte) bool { return !keep(r) })
	}
	total := int64(len(records))
	from := min(offset, total)
	to := min(from+limit, total)
	p := exports.Page{Limit: limit, Offset: offset, Total: total, NextOffset: -1}
	l := exports.PageLinks{Self: pageAt(self, limit, offset)}
	if to < total && to > from {
		p.NextOffset, l.Next = to, pageAt(self, limit, to)
	}
	var o object
	o.raw("catalog", catalog)
	o.raw("data", append(append([]byte{'['}, bytes.Join(records[from:to], []byte{','})...), ']'))
	o.json("grants_rights", "false")
	o.raw("links", wire.Append(nil, &l))
	o.raw("page", wire.Append(nil, &p))
	return o.append(nil), nil
}

func pageAt(path string, limit, offset int64) string {
	return path + "?limit=" + strconv.FormatInt(limit, 10) + "&offset=" + strconv.FormatInt(offset, 10)
}

// records cuts the items of the member "data" out of a canonical list. A
// quoted name followed by a colon cannot stand inside a string, where the
// quotes are escaped.
func records(list []byte) ([][]byte, bool) {
	_, rest, ok := bytes.Cut(list, []byte(`"data":[`))
	var out [][]byte
	depth, start, quoted := 0, 0, false
	for i := 0; ok && i < len(rest); i++ {
		switch c := rest[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			if i > start {
				out = append(out, rest[start:i])
			}
			if start = i + 1; c == ']' {
				return out, true
			}
		}
	}
	return nil, false
}

// release cuts the member "catalog" out of a canonical list: it comes first
// but for a category, and holds no object.
func release(list []byte) ([]byte, bool) {
	i := bytes.Index(list, []byte(`"catalog":{`))
	if i < 0 {
		return nil, false
	}
	from := i + len(`"catalog":`)
	n := bytes.IndexByte(list[from:], '}')
	return list[from : from+n+1], n > 0
}

// pageOf reads the member "page" of a canonical list, its last; ok is false
// for an answer that has none.
func pageOf(list []byte) (p exports.Page, ok bool) {
	i := bytes.LastIndex(list, []byte(`"page":{`))
	if i < 0 {
		return p, false
	}
	body := bytes.TrimSuffix(list[i+len(`"page":`):], []byte{'}'})
	err := wire.Decode(body, &p, wire.Default) // on its own: which comes first in a return is not specified
	return p, err == nil
}

// part is the summary of a list that is walked by cursor and may have no
// total: how many records are here, and how one goes on.
func part(list []byte, what string) string {
	data, _ := records(list)
	s := strconv.Itoa(len(data)) + " " + what
	_, next, more := bytes.Cut(list[bytes.LastIndex(list, []byte(`"page":{`))+1:], []byte(`"next_cursor":"`))
	if i := bytes.IndexByte(next, '"'); more && i > 0 {
		return s + "; there may be more, go on with cursor " + string(next[:i]) + "."
	}
	return s + "."
}
