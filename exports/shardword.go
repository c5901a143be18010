package exports

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

// slugs are the words of s as addresses have them: runs of letters, digits and
// other characters than those of ASCII, in small letters, without apostrophes.
// Each byte above ASCII is "%" and two hexadecimal digits.
func slugs(s string) []string {
	var out []string
	var word []byte
	for i := 0; i <= len(s); i++ {
		c := byte(' ')
		if i < len(s) {
			c = s[i]
		}
		switch {
		case c >= 'A' && c <= 'Z':
			word = append(word, c+'a'-'A')
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			word = append(word, c)
		case c >= 0x80:
			const digits = "0123456789ABCDEF"
			word = append(word, '%', digits[c>>4], digits[c&15])
		case c != '\'' && len(word) > 0:
			out = append(out, string(word))
			word = nil
		}
	}
	return out
}

const (
	firstRun    = 16
	maxExpanded = 1 << 16
)

// startWords are the words by which the start of a URL is shortened.
func startWords(site string) []string { return []string{"https://" + site, site} }

// pathWords are the words by which a path is shortened, less its number: the
// section, then the day, month and year of publication, each with a slash
// after it.
func pathWords(section, published string) []string {
	out := make([]string, 4, 6)
	if section != "" {
		out[0] = strings.Join(slugs(section), "-") + "/"
	}
	if published != "" {
		day := strings.ReplaceAll(published[:10], "-", "/") + "/"
		out[1], out[2], out[3] = day, day[:8], day[:5]
	}
	return out
}

// expand reads a shortened text. A byte below 16 is one of words, from 0. A
// byte of 16 to 31 is so many slugs less 16, with "-" between them, that
// follow those of the last such byte and the one after them. All others stand
// for themselves.
func expand(s string, slugs []string, words ...string) (string, bool) {
	var b []byte
	for i := range len(s) {
		switch c := int(s[i]); {
		case c >= ' ':
			b = append(b, s[i])
		case c >= firstRun:
			if c-firstRun > len(slugs) {
				return "", false
			}
			b = append(b, strings.Join(slugs[:c-firstRun], "-")...)
			slugs = slugs[min(len(slugs), c-firstRun+1):]
		case c < len(words):
			b = append(b, words[c]...)
		default:
			return "", false
		}
		if len(b) > maxExpanded {
			return "", false
		}
	}
	return string(b), true
}

// contract writes what expand reads, but for bytes below 32 in s and for very
// long texts, of which expand makes another text or none.
func contract(s string, slugs []string, words ...string) string {
	var b []byte
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

// longestRun finds the most slugs that s begins with, after leaving out at
// most two: how many are left out, how many there are, and their bytes.
func longestRun(s string, slugs []string) (skip, n, size int) {
	for from := 0; from < min(3, len(slugs)); from++ {
		run := ""
		for to := from + 1; to <= min(len(slugs), from+15); to++ {
			run = strings.TrimPrefix(run+"-"+slugs[to-1], "-")
			if !strings.HasPrefix(s, run) {
				break
			}
			if to-from > n && (len(run) == len(s) || !inSlug(s[len(run)])) {
				skip, n, size = from, to-from, len(run)
			}
		}
	}
	return skip, n, size
}

func inSlug(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '%'
}

// takeNumber takes the last number of 3 to 8 digits out of a shortened path,
// where byte 5 then stands for it with "-" before it, or byte 4 without.
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
				return path[:from-1] + "\x05" + path[end:], number
			}
			return path[:from] + "\x04" + path[end:], number
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
