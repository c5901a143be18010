package rights

import "colophon/exports"

// publisherStatement is the channel of the statements that a publisher makes in
// the registry itself.
const publisherStatement = "publisher_statement"

// confirmationState compares the channels of a publisher with the publisher's
// own statement about the use. It returns exports.Contradicted if a channel
// says the opposite, exports.Unconfirmed if one that may mention the use was
// not read completely, and "" otherwise. The statement counts in every case.
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

// ownEffect returns the effect that the publisher itself declares for the use.
func (v *evaluation) ownEffect() Effect {
	own := Unknown
	for i := range v.signals {
		if s := &v.signals[i]; s.channel == publisherStatement {
			own = stricterEffect(own, s.effect)
		}
	}
	return own
}

// strongerDoubt returns the graver of two confirmation states.
func strongerDoubt(a, b string) string {
	if a == exports.Contradicted || b == "" {
		return a
	}
	return b
}

// Confirmations returns the publisher's statements that its channels do not
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
