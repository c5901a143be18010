package publisherfile

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"colophon/exports"
)

// checker collects what the shape of a file does not tell.
type checker struct{ found []Problem }

func (c *checker) refuse(pointer, code, detail string) {
	if len(c.found) < maxProblems {
		c.found = append(c.found, Problem{Pointer: pointer, Code: code, Detail: detail})
	}
}

// check tells what is wrong with a file of the right shape.
func check(f *File) []Problem {
	var c checker
	for _, t := range []struct{ pointer, text string }{
		{"/name", f.Name}, {"/legal_name", f.LegalName}, {"/summary", f.Summary}, {"/description", f.Description},
	} {
		c.text(t.pointer, t.text)
	}
	if strings.TrimSpace(f.Name) == "" {
		c.refuse("/name", "too_short", "A publisher has a name.")
	}
	c.each("/registries", f.Registries, MaxWords, c.address)
	c.each("/languages", f.Languages, MaxWords, c.language)
	c.each("/countries", f.Countries, MaxWords, c.country)
	c.each("/categories", f.Categories, MaxWords, c.category)
	c.each("/hosts", f.Hosts, MaxHosts, c.host)
	c.each("/feeds", f.Feeds, MaxWords, c.address)
	c.each("/sitemaps", f.Sitemaps, MaxWords, c.address)
	if f.PolicyOf != "" {
		c.secure("/policy_of", f.PolicyOf)
	}
	if h := f.Holder; h != nil {
		c.text("/rights_holder/name", h.Name)
		c.optional("/rights_holder/url", h.URL)
		c.each("/rights_holder/territories", h.Territories, MaxWords, c.territory)
	}
	if i := f.Inquiries; i != nil {
		c.optional("/inquiries/page", i.Page)
		c.email("/inquiries/email", i.Email)
	}
	c.preferences(f.Preferences)
	c.offers(f.Offers)
	return c.found
}

// each checks the entries of a list, which are few and differ.
func (c *checker) each(pointer string, list []string, most int, one func(pointer, s string)) {
	if len(list) > most {
		c.refuse(pointer, "too_many", "At most "+strconv.Itoa(most)+" entries.")
		return
	}
	seen := map[string]bool{}
	for i, s := range list {
		at := pointer + "/" + strconv.Itoa(i)
		if seen[s] {
			c.refuse(at, "repeated", "It stands in the list already.")
			continue
		}
		seen[s] = true
		one(at, s)
	}
}

// text refuses characters that do not show, or make others show elsewhere.
func (c *checker) text(pointer, s string) {
	for _, r := range s {
		if unicode.IsControl(r) || turnsText(r) || r == '\u2028' || r == '\u2029' || r == '\ufffd' {
			c.refuse(pointer, "text_unsafe", "The character U+"+strings.ToUpper(strconv.FormatInt(int64(r), 16))+" may not stand in a text.")
			return
		}
	}
}

// turnsText tells the marks that embed or override a direction of writing
// (Unicode Bidirectional Algorithm, section 2).
func turnsText(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

func (c *checker) optional(pointer, s string) {
	if s != "" {
		c.address(pointer, s)
	}
}

// secure checks an address that must be https.
func (c *checker) secure(pointer, s string) {
	if !strings.HasPrefix(s, "https://") {
		c.refuse(pointer, "address_invalid", "It must begin with https://.")
		return
	}
	c.address(pointer, s)
}

// address checks an absolute http or https address in plain ASCII.
func (c *checker) address(pointer, s string) {
	u, err := url.Parse(s)
	odd := strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"'\\^`{|}", r) })
	if err != nil || odd || len(s) > maxAddress || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || !ValidHost(u.Hostname()) {
		c.refuse(pointer, "address_invalid", "It must be an absolute http or https address without user name and without characters outside ASCII.")
	}
}

// ValidHost tells whether s is a host name as DNS has it: lower-case ASCII,
// at least two labels, no address.
func ValidHost(s string) bool {
	ascii, err := idna.Lookup.ToASCII(s)
	if err != nil || ascii != s || len(s) > 253 {
		return false
	}
	labels := strings.Split(s, ".")
	for _, l := range labels {
		if !validLabel(l) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && strings.Trim(last, "0123456789") != ""
}

func validLabel(l string) bool {
	plain := strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
	return l != "" && len(l) <= 63 && plain && l[0] != '-' && l[len(l)-1] != '-'
}

func (c *checker) host(pointer, s string) {
	if !ValidHost(s) {
		c.refuse(pointer, "host_invalid", "It must be a host name in lower case, such as www.site.example.")
	}
}

func (c *checker) language(pointer, s string) {
	if exports.LanguageOf(s) == "" {
		c.refuse(pointer, "language_invalid", "It must be a BCP 47 tag such as en or pt-BR.")
	}
}

func (c *checker) country(pointer, s string) {
	if !twoLetters(s) {
		c.refuse(pointer, "country_invalid", "It must be an ISO 3166-1 alpha-2 code such as NL.")
	}
}

func (c *checker) territory(pointer, s string) {
	if !twoLetters(s) {
		c.refuse(pointer, "territory_invalid", "It must be an ISO 3166-1 alpha-2 code such as NL, or EU.")
	}
}

func twoLetters(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

func (c *checker) category(pointer, s string) {
	if !exports.ValidSlug(s) {
		c.refuse(pointer, "slug_invalid", "It must be a slug such as trade-logistics.")
	}
}

func (c *checker) email(pointer, s string) {
	name, host, ok := strings.Cut(s, "@")
	odd := strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"'\\,;:()[]", r) })
	if s != "" && (!ok || name == "" || odd || !ValidHost(host)) {
		c.refuse(pointer, "email_invalid", "It must be a plain address such as licensing@site.example.")
	}
}

func (c *checker) preferences(list []Preference) {
	if len(list) > MaxPreferences {
		c.refuse("/preferences", "too_many", "At most "+strconv.Itoa(MaxPreferences)+" preferences.")
		return
	}
	seen := map[string]bool{}
	for i := range list {
		p := &list[i]
		at := "/preferences/" + strconv.Itoa(i)
		if p.Declared == "" && p.Inquiry == "" {
			c.refuse(at, "says_nothing", "It needs declared, inquiry or both.")
		}
		if p.Inquiry != "" && !p.WholeSite() {
			c.refuse(at+"/inquiry", "whole_site_only", "Whether asking is welcome is said for the whole site.")
		}
		c.text(at+"/note", p.Note)
		c.each(at+"/paths", p.Paths, MaxPaths, c.path)
		for _, path := range orWhole(p.Paths) {
			key := p.Use + " " + exports.NormalPattern(path)
			if seen[key] {
				c.refuse(at, "repeated", "This use was spoken of for the same path already.")
			}
			seen[key] = true
		}
	}
}

// orWhole is a list of paths, or the whole site.
func orWhole(paths []string) []string {
	if len(paths) == 0 {
		return []string{"/*"}
	}
	return paths
}

// path checks a plain prefix: /section/*, /section/ or /page.
func (c *checker) path(pointer, s string) {
	plain := exports.NormalPattern(strings.TrimSuffix(s, "*"))
	odd := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("*$#\"'<>\\;{}", r) }
	if !strings.HasPrefix(plain, "/") || len(s) > 500 || strings.ContainsFunc(plain, odd) {
		c.refuse(pointer, "path_invalid", "It must be a plain prefix such as /section/*.")
	}
}
