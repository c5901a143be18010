package exports

// Prefixes of identifiers: a prefix, then lower-case characters.
const (
	PrefixEntry    = "ent_"
	PrefixOffer    = "lic_"
	PrefixRequest  = "req_"
	PrefixThread   = "thr_"
	PrefixGroup    = "grp_" // inquiries that were sent together
	PrefixMessage  = "msg_"
	PrefixSnapshot = "snp_"
	PrefixGrant    = "grt_"
	PrefixDecision = "dec_"
	PrefixPartner  = "org_"
	PrefixDemand   = "dem_"

	PrefixReservation = "rsv_"
)

// ValidSiteID reports whether s is a publisher identifier:
// ^[a-z0-9][a-z0-9-]{1,63}$.
func ValidSiteID(s string) bool {
	if len(s) < 2 || len(s) > 64 || s[0] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !lowerOrDigit(s[i]) && s[i] != '-' {
			return false
		}
	}
	return true
}

// ValidEntryID reports whether s can be an entry identifier:
// ^[A-Za-z0-9_-]{1,64}$.
func ValidEntryID(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !lowerOrDigit(c) && (c < 'A' || c > 'Z') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// ValidSlug reports whether s is a category slug: ^[a-z0-9]+(-[a-z0-9]+)*$.
func ValidSlug(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !lowerOrDigit(s[i]) && (s[i] != '-' || s[i-1] == '-') {
			return false
		}
	}
	return true
}

func lowerOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
