package publisherfile

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/prose"
	"colophon/internal/urlkey"
)

// checker collects the mistakes that the shape of a file does not reveal.
type checker struct{ found []Problem }

func (c *checker) addProblem(pointer, code, detail string) {
	if len(c.found) < maxProblems {
		c.found = append(c.found, Problem{Pointer: pointer, Code: code, Detail: detail})
	}
}

// writePlain writes the hosts, addresses and withdrawn paths of a file that are
// beyond ASCII, or that only browsers repair, as DNS and RFC 3986 have them, and the
// codes of content in their canonical form.
// Texts without such a form are left for checkFile to report.
func writePlain(f *File) {
	for i := range f.Hosts {
		if ascii, ok := urlkey.ASCIIHost(f.Hosts[i]); ok {
			f.Hosts[i] = ascii
		}
	}
	for i := range f.Withdrawn {
		f.Withdrawn[i] = exports.NormalPattern(f.Withdrawn[i])
	}
	for i := range f.Reservations {
		if code, err := iscc.NormalizeCode(f.Reservations[i].Code); err == nil {
			f.Reservations[i].Code = code
		}
	}
	addresses := []*string{&f.PolicyOf}
	for _, list := range [][]string{f.Registries, f.Feeds, f.Sitemaps} {
		for i := range list {
			addresses = append(addresses, &list[i])
		}
	}
	if f.Holder != nil {
		addresses = append(addresses, &f.Holder.URL)
	}
	if f.Inquiries != nil {
		addresses = append(addresses, &f.Inquiries.Page)
	}
	for i := range f.Offers {
		if t := f.Offers[i].Terms; t != nil {
			addresses = append(addresses, &t.URL)
		}
	}
	for _, s := range addresses {
		if canonical, err := urlkey.Address(*s); err == nil && !plainAddress(*s) {
			*s = canonical
		}
	}
}

// checkFile reports what is wrong with a file of the right shape.
func checkFile(f *File) []Problem {
	var c checker
	for _, t := range []struct{ pointer, text string }{
		{"/name", f.Name}, {"/legal_name", f.LegalName}, {"/summary", f.Summary}, {"/description", f.Description},
	} {
		c.checkText(t.pointer, t.text)
	}
	if strings.TrimSpace(f.Name) == "" {
		c.addProblem("/name", "too_short", "A publisher has a name.")
	}
	c.checkList("/registries", f.Registries, MaxWords, c.checkAddress)
	c.checkList("/languages", f.Languages, MaxWords, c.checkLanguage)
	c.checkList("/countries", f.Countries, MaxWords, c.checkCountry)
	c.checkList("/categories", f.Categories, MaxWords, c.checkCategory)
	c.checkList("/hosts", f.Hosts, MaxHosts, c.checkHost)
	c.checkList("/feeds", f.Feeds, MaxWords, c.checkAddress)
	c.checkList("/sitemaps", f.Sitemaps, MaxWords, c.checkAddress)
	c.checkList("/syndicated_to", f.SyndicatedTo, MaxWords, c.checkHost)
	c.checkList("/withdrawn", f.Withdrawn, MaxWithdrawn, c.checkPath)
	if f.PolicyOf != "" {
		c.checkHTTPS("/policy_of", f.PolicyOf)
	}
	if h := f.Holder; h != nil {
		c.checkText("/rights_holder/name", h.Name)
		c.checkOptional("/rights_holder/url", h.URL)
		c.checkList("/rights_holder/territories", h.Territories, MaxWords, c.checkTerritory)
	}
	if i := f.Inquiries; i != nil {
		c.checkOptional("/inquiries/page", i.Page)
		c.checkEmail("/inquiries/email", i.Email)
	}
	c.checkPreferences(f.Preferences)
	c.checkOffers(f.Offers)
	c.checkReservations(f.Reservations)
	return c.found
}

// checkList checks the entries of a list, which are few and differ.
func (c *checker) checkList(pointer string, list []string, most int, one func(pointer, s string)) {
	if len(list) > most {
		c.addProblem(pointer, "too_many", "At most "+strconv.Itoa(most)+" entries.")
		return
	}
	seen := map[string]bool{}
	for i, s := range list {
		at := pointer + "/" + strconv.Itoa(i)
		if seen[s] {
			c.addProblem(at, "repeated", "It stands in the list already.")
			continue
		}
		seen[s] = true
		one(at, s)
	}
}

// want adds a problem unless what is wanted holds.
func (c *checker) want(holds bool, pointer, code, detail string) {
	if !holds {
		c.addProblem(pointer, code, detail)
	}
}

// checkText refuses characters that do not show, or make others show elsewhere.
func (c *checker) checkText(pointer, s string) {
	for _, r := range s {
		if unicode.IsControl(r) || turnsText(r) || r == '\u2028' || r == '\u2029' || r == '\ufffd' {
			c.addProblem(pointer, "text_unsafe", "The character U+"+strings.ToUpper(strconv.FormatInt(int64(r), 16))+" may not stand in a text.")
			return
		}
	}
}

// turnsText reports the marks that embed or override a direction of writing
// (Unicode Bidirectional Algorithm, section 2).
func turnsText(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

func (c *checker) checkOptional(pointer, s string) {
	if s != "" {
		c.checkAddress(pointer, s)
	}
}

// checkHTTPS checks an address that must be https.
func (c *checker) checkHTTPS(pointer, s string) {
	if !strings.HasPrefix(s, "https://") {
		c.addProblem(pointer, "address_invalid", "It must begin with https://.")
		return
	}
	c.checkAddress(pointer, s)
}

// checkAddress checks an absolute http or https address.
func (c *checker) checkAddress(pointer, s string) {
	c.want(plainAddress(s), pointer, "address_invalid", "It must be an absolute http or https address without user name.")
}

// plainAddress reports whether s is an absolute http or https address as RFC 3986
// has it, in ASCII.
func plainAddress(s string) bool {
	u, err := url.Parse(s)
	odd := strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>\"'\\^`{|}", r) })
	return err == nil && !odd && len(s) <= maxAddress && (u.Scheme == "https" || u.Scheme == "http") && u.User == nil && ValidHost(u.Hostname())
}

// ValidHost reports whether s is a host name as DNS has it: lower-case ASCII,
// at least two labels, no address.
func ValidHost(s string) bool {
	ascii, ok := urlkey.ASCIIHost(s)
	return ok && ascii == s
}

func (c *checker) checkHost(pointer, s string) {
	c.want(ValidHost(s), pointer, "host_invalid", "It must be a host name in lower case, such as www.site.example.")
}

func (c *checker) checkLanguage(pointer, s string) {
	c.want(prose.LanguageOf(s) != "", pointer, "language_invalid", "It must be a BCP 47 tag such as en or pt-BR.")
}

func (c *checker) checkCountry(pointer, s string) {
	c.want(twoLetters(s), pointer, "country_invalid", "It must be an ISO 3166-1 alpha-2 code such as NL.")
}

func (c *checker) checkTerritory(pointer, s string) {
	c.want(twoLetters(s), pointer, "territory_invalid", "It must be an ISO 3166-1 alpha-2 code such as NL, or EU.")
}

func twoLetters(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

func (c *checker) checkCategory(pointer, s string) {
	c.want(exports.ValidSlug(s), pointer, "slug_invalid", "It must be a slug such as trade-logistics.")
}

func (c *checker) checkEmail(pointer, s string) {
	c.want(s == "" || exports.ValidEmail(s), pointer, "email_invalid", "It must be a plain address such as licensing@site.example.")
}

func (c *checker) checkPreferences(list []Preference) {
	if len(list) > MaxPreferences {
		c.addProblem("/preferences", "too_many", "At most "+strconv.Itoa(MaxPreferences)+" preferences.")
		return
	}
	seen := map[string]bool{}
	for i := range list {
		p := &list[i]
		at := "/preferences/" + strconv.Itoa(i)
		if p.Declared == "" && p.Inquiry == "" && p.Retention == "" {
			c.addProblem(at, "says_nothing", "It needs declared, inquiry, retention or several of them.")
		}
		if p.Inquiry != "" && !p.WholeSite() {
			c.addProblem(at+"/inquiry", "whole_site_only", "Whether asking is welcome is said for the whole site.")
		}
		c.checkText(at+"/note", p.Note)
		c.checkList(at+"/paths", p.Paths, MaxPaths, c.checkPath)
		for _, path := range orWhole(p.Paths) {
			key := p.Use + " " + exports.NormalPattern(path)
			if seen[key] {
				c.addProblem(at, "repeated", "This use was spoken of for the same path already.")
			}
			seen[key] = true
		}
	}
}

func (c *checker) checkReservations(list []Reservation) {
	if len(list) > MaxReserved {
		c.addProblem("/reservations", "too_many", "At most "+strconv.Itoa(MaxReserved)+" reservations.")
		return
	}
	seen := map[string]bool{}
	for i := range list {
		r := &list[i]
		at := "/reservations/" + strconv.Itoa(i)
		if _, err := iscc.NormalizeCode(r.Code); err != nil {
			c.addProblem(at+"/code", "code_invalid", "It must be a portable fingerprint of 64 hex digits, or an ISCC of content of 64 bits or more such as ISCC:EAASKDNZNYGUUF5A.")
		}
		if seen[r.Code] {
			c.addProblem(at+"/code", "repeated", "Another reservation has this code.")
		}
		seen[r.Code] = true
		if len(r.Uses) == 0 {
			c.addProblem(at+"/uses", "too_short", "A reservation is for at least one use.")
		}
		c.checkList(at+"/uses", r.Uses, MaxWords, func(string, string) {})
		c.checkText(at+"/author", r.Author)
		c.checkText(at+"/note", r.Note)
		c.checkInstant(at+"/since", r.Since)
	}
}

// checkInstant keeps an instant in this century.
func (c *checker) checkInstant(pointer, at string) {
	if at == "" {
		return
	}
	if _, ok := exports.ParseInstant(at); !ok || at < "2000" || at >= "2101" {
		c.addProblem(pointer, "time_invalid", "It must be an instant of this century.")
	}
}

// orWhole returns a list of paths, or the whole site.
func orWhole(paths []string) []string {
	if len(paths) == 0 {
		return []string{"/*"}
	}
	return paths
}

// checkPath checks a plain prefix: /section/*, /section/ or /page.
func (c *checker) checkPath(pointer, s string) {
	plain := exports.NormalPattern(strings.TrimSuffix(s, "*"))
	odd := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("*$#\"'<>\\;{}", r) }
	if !strings.HasPrefix(plain, "/") || len(s) > 500 || strings.ContainsFunc(plain, odd) {
		c.addProblem(pointer, "path_invalid", "It must be a plain prefix such as /section/*.")
	}
}
