package rights

import "colophon/exports"

// publisherStatement is the channel of a publisher's own statements in the
// registry.
const publisherStatement = "publisher_statement"

// confirmationState compares the channels of a publisher with what it states
// itself about the use: exports.Contradicted when one says the opposite,
// exports.Unconfirmed when one that may speak of the use was not read whole,
// else "". The statement counts all the same.
func (v *evaluation) confirmationState() string {
	own := v.ownEffect()
	if own == Unknown {
		return ""
	}
	for i := range v.signals {
		s := &v.signals[i]
		if s.channel != publisherStatement && s.stillCounts() && (own == Allow) != (s.effect == Allow) {
			return exports.Contradicted
		}
	}
	if v.unread {
		return exports.Unconfirmed
	}
	return ""
}

// ownEffect returns what the publisher itself declares of the use.
func (v *evaluation) ownEffect() Effect {
	own := Unknown
	for i := range v.signals {
		if s := &v.signals[i]; s.channel == publisherStatement {
			own = stricterEffect(own, s.effect)
		}
	}
	return own
}

// strongerDoubt returns the one of two confirmations that says more against a
// statement.
func strongerDoubt(a, b string) string {
	if a == exports.Contradicted || b == "" {
		return a
	}
	return b
}

// Confirmations lists what the publisher states and its channels do not
// confirm.
func (a *Answer) Confirmations() []exports.StatementDoubt {
	var out []exports.StatementDoubt
	for i := range a.Uses {
		u := &a.Uses[i]
		if u.Confirmation != "" && u.Verdict != "withdrawn" {
			out = append(out, exports.StatementDoubt{Use: string(u.Use), Confirmation: u.Confirmation})
		}
	}
	return out
}
