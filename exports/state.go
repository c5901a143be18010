package exports

// RequestStates are the states of a licensing request as its parties see
// them.
var RequestStates = []string{
	"received", "delivered", "in_review", "info_requested", "in_discussion", "terms_indicated", "referred", "declined", "withdrawn",
	"expired", "transferred", "closed",
}

// TerminalStates are the states in which a request stays. None of them means
// that anything is licensed.
var TerminalStates = []string{"referred", "declined", "withdrawn", "expired", "transferred", "closed"}
