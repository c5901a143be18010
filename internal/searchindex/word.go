package searchindex

import (
	"strconv"
	"strings"
)

// How a stored record says what its other parts tell already. Letters here
// are those of ASCII.

// capital stands for a space before a capital, which is written as a small
// letter then. UTF-8 has no such byte.
const capital = 0xc1

// titleCase reads what is written in plain case: its first letter is capital,
// too, unless a space stands before it, which is left out.
func titleCase(s string) string {
	b := make([]byte, 0, len(s))
	up := true
	for i := range len(s) {
		c := s[i]
		switch {
		case i == 0 && c == ' ':
			up = false
			continue
		case c == capital:
			b = append(b, ' ')
			up = true
			continue
		case up && c >= 'a' && c <= 'z':
			c -= 'a' - 'A'
		}
		up = false
		b = append(b, c)
	}
	return string(b)
}

// plainCase writes what titleCase reads.
func plainCase(s string) string {
	var b []byte
	if s != "" && (s[0] == ' ' || s[0] >= 'a' && s[0] <= 'z') {
		b = append(b, ' ')
	}
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' && (i == 0 || s[i-1] == ' ') {
			if i > 0 {
				b[len(b)-1] = capital
			}
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

// makeSlug is s as addresses have it: its words with "-" between them, which are
// runs of letters, digits and other characters than those of ASCII, in small
// letters, without apostrophes. Each byte above ASCII is "%" and two
// hexadecimal digits.
func makeSlug(s string) string {
	var b []byte
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b = append(b, c)
		case c >= 0x80:
			const digits = "0123456789ABCDEF"
			b = append(b, '%', digits[c>>4], digits[c&15])
		case c != '\'' && len(b) > 0 && b[len(b)-1] != '-':
			b = append(b, '-')
		}
	}
	return strings.TrimSuffix(string(b), "-")
}

// The bytes that stand for a part of a record in a shortened text. The day is
// that of publication, as 2026/05/14/, of which the month is the first 8 bytes
// and the year the first 5. The section is its slug and a slash.
const (
	wordStart = iota // "https://", then the site id
	wordSite
	wordSection
	wordDay
	wordMonth
	wordYear
	wordNumber // that of the record
	wordDashed // "-", then that number
	firstRun   = 16

	maxExpanded = 1 << 16
)

// expandText reads a shortened text, which may repeat words of the slug of from.
// A byte of 16 to 31 is so many words less 16, with "-" between them, that
// follow those of the last such byte and the one after them, or all that are
// left. A byte below 16 is a part of d. All others stand for themselves.
func (r *reader) expandText(s, from string, d *Doc, number uint64) string {
	rest := makeSlug(from)
	var b []byte
	for i := range len(s) {
		part, c := s[i:i+1], int(s[i])
		switch {
		case c >= ' ':
		case c >= firstRun:
			c -= firstRun
			part = rest[:wordsEnd(rest, c)]
			rest = rest[min(wordsEnd(rest, c+1)+1, len(rest)):]
		case c <= wordSite:
			part = "https://"[:8*(wordSite-c)] + d.SiteID
		case c == wordSection:
			part = makeSlug(d.Section) + "/"
		case c <= wordYear && d.PublishedAt != "":
			part = strings.ReplaceAll(d.PublishedAt[:10-3*(c-wordDay)], "-", "/") + "/"
		case c == wordNumber || c == wordDashed:
			part = "-"[:c-wordNumber] + strconv.FormatInt(int64(number), 10)
		default:
			r.fail()
		}
		if b = append(b, part...); len(b) > maxExpanded {
			r.fail()
			break
		}
	}
	return string(b)
}

// wordsEnd is where the first n words of a slug end.
func wordsEnd(slug string, n int) int {
	for i := range len(slug) {
		if n == 0 || slug[i] == '-' {
			if n--; n <= 0 {
				return i
			}
		}
	}
	return len(slug)
}

// repeatedParts are the parts of a record for which one byte stands, in the order
// of those bytes, less its number; "" is none.
func (d *Doc) repeatedParts(site string) []string {
	out := make([]string, wordNumber)
	out[wordStart], out[wordSite] = "https://"+site, site
	if d.Section != "" {
		out[wordSection] = makeSlug(sanitizeUTF8(d.Section)) + "/"
	}
	if d.PublishedAt != "" {
		day := strings.ReplaceAll(d.PublishedAt[:10], "-", "/") + "/"
		out[wordDay], out[wordMonth], out[wordYear] = day, day[:8], day[:5]
	}
	return out
}

// contractText writes what expandText reads, but for bytes below 32 in s and for very
// long texts, of which expandText makes another text or none.
func contractText(s, from string, words []string) string {
	var b []byte
	slugs := strings.Fields(strings.ReplaceAll(makeSlug(from), "-", " "))
next:
	for i := 0; i < len(s); {
		if i == 0 || !inSlug(s[i-1]) {
			for c, w := range words {
				if w != "" && strings.HasPrefix(s[i:], w) {
					b = append(b, byte(c))
					i += len(w)
					continue next
				}
			}
			skip, n, size := longestRun(s[i:], slugs)
			if n > 0 {
				for range skip {
					b = append(b, firstRun)
				}
				b = append(b, byte(firstRun+n))
				slugs = slugs[min(len(slugs), skip+n+1):]
				i += size
				continue
			}
		}
		b = append(b, s[i])
		i++
	}
	return string(b)
}

// longestRun finds the most words of a slug that s begins with, after leaving out at
// most two: how many are left out, how many there are, and their bytes.
func longestRun(s string, slugs []string) (skip, n, size int) {
	for from := range min(3, len(slugs)) {
		end := 0
		for to, word := range slugs[from:min(len(slugs), from+15)] {
			if to > 0 {
				if !strings.HasPrefix(s[end:], "-") {
					break
				}
				end++
			}
			if !strings.HasPrefix(s[end:], word) {
				break
			}
			end += len(word)
			if to+1 > n && (end == len(s) || !inSlug(s[end])) {
				skip, n, size = from, to+1, end
			}
		}
	}
	return skip, n, size
}

func inSlug(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '%'
}

// takeNumber takes the last number of 3 to 8 digits out of a shortened path.
func takeNumber(path string) (string, uint64) {
	end := len(path)
	for end > 0 {
		from := end
		for from > 0 && path[from-1] >= '0' && path[from-1] <= '9' {
			from--
		}
		if n := end - from; n >= 3 && n <= 8 && path[from] != '0' {
			number, _ := strconv.ParseUint(path[from:end], 10, 64)
			if from > 0 && path[from-1] == '-' {
				return path[:from-1] + string(rune(wordDashed)) + path[end:], number
			}
			return path[:from] + string(rune(wordNumber)) + path[end:], number
		}
		end = from - 1
	}
	return path, 0
}

// cutURL cuts a URL after its third slash, or before its first letter.
func cutURL(url string) (start, path string) {
	at := 0
	for range 3 {
		n := strings.IndexByte(url[at:], '/')
		if n < 0 {
			return "", url
		}
		at += n + 1
	}
	return url[:at], url[at:]
}
