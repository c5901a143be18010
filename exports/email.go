package exports

import "strings"

// ValidEmail reports whether s is an address of the form local@domain that
// can be written to: at most 254 bytes, a local part of 1 to 64 characters
// without quotes or space, and a domain of at least two labels. Addresses with
// letters beyond ASCII are accepted in the local part only.
func ValidEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if len(s) > 254 || at < 1 || at > 64 {
		return false
	}
	return validLocal(s[:at]) && validDomain(s[at+1:])
}

func validLocal(s string) bool {
	if s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	for _, r := range s {
		if r <= ' ' || r == 0x7f || strings.ContainsRune("\"(),:;<>@[\\]", r) || r == 0xfffd || r >= 0x80 && r < 0xa0 {
			return false
		}
	}
	return true
}

func validDomain(s string) bool {
	labels := strings.Split(s, ".")
	if len(labels) < 2 || len(s) > 253 {
		return false
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' {
			return false
		}
		for i := 0; i < len(l); i++ {
			c := l[i] | 0x20
			if !lowerOrDigit(c) && l[i] != '-' || l[i] < '-' {
				return false
			}
		}
	}
	last := labels[len(labels)-1]
	return len(last) >= 2 && (last[0] < '0' || last[0] > '9')
}

// EmailHint shortens an address to what its owner recognizes: r***@domain.
func EmailHint(s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 1 {
		return ""
	}
	for i := range s {
		if i > 0 {
			return s[:i] + "***" + s[at:]
		}
	}
	return ""
}

// disposable are mail domains that exist to be thrown away.
const disposable = " 10minutemail.com discard.email getnada.com guerrillamail.com maildrop.cc mailinator.com mailnesia.com " +
	"sharklasers.com temp-mail.org tempmail.dev throwawaymail.com trashmail.com yopmail.com "

// DisposableEmail reports whether an address is at a throw-away domain.
func DisposableEmail(s string) bool {
	domain := strings.ToLower(s[strings.LastIndexByte(s, '@')+1:])
	return strings.Contains(disposable, " "+domain+" ")
}

// OneClick is the header List-Unsubscribe-Post, and the body of the POST by which
// a mail program ends letters (RFC 8058).
const OneClick = "List-Unsubscribe=One-Click"
