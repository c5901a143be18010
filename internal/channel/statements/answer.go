package statements

import (
	"slices"

	"colophon/exports"
)

// plainAnswers returns the answers of the statements in force: disallow if any
// disallows, else any permission, else unknown.
func plainAnswers(name Name, own, inForce []found) []Answer {
	out := make([]Answer, 0, len(exports.Uses))
	for _, u := range exports.Uses {
		a := Answer{Channel: name, Use: u}
		for _, f := range inForce {
			a.takeStatement(f)
		}
		a.takeRetention(inForce)
		a.explainSilence(own)
		out = append(out, a)
	}
	return out
}

// takeStatement adds one statement to an answer.
func (a *Answer) takeStatement(f found) {
	effect, cover := f.Reads(a.Use)
	switch {
	case cover == NotCovered, f.Retention != "":
		return
	case cover == Loosely:
		a.Loss = append(a.Loss, f.Word)
		if effect == Unknown && f.Effect != Unknown {
			a.Why = WhyWiderWord
		}
	}
	a.addEffect(f, effect)
}

// takeRetention adds what statements say about keeping a copy. It comes last,
// so that their sources are cited whatever the effect.
func (a *Answer) takeRetention(inForce []found) {
	for _, f := range inForce {
		if _, cover := f.Reads(a.Use); f.Retention != "" && cover != NotCovered {
			a.Retention = exports.StricterRetention(a.Retention, f.Retention)
			a.citeSource(f)
		}
	}
}

// addEffect adds an effect and its source to the answer.
func (a *Answer) addEffect(f found, effect Effect) {
	switch effect {
	case Unknown:
		if a.Effect == Unknown {
			a.citeSource(f)
		}
		return
	case Disallow:
		if a.Effect != Disallow {
			a.Effect = Disallow
			a.Options = nil
			a.Sources = nil
			a.Value = ""
		}
	case Allow, Priced:
		if a.Effect == Disallow {
			return
		}
		if a.Effect == Unknown {
			a.Effect = effect
			a.Sources = nil
			a.Value = ""
		}
		if effect == Allow {
			a.Effect = Allow
		}
		a.Options = append(a.Options, Option{effect, f.Terms})
	}
	a.citeSource(f)
}

// maxSources bounds what one answer cites of a document that says the same
// over and over.
const maxSources = 32

func (a *Answer) citeSource(f found) {
	s := Source{f.from.URL, f.Locator, f.Text, f.Origin, f.from.CheckedAt, f.from.ValidUntil, f.from.Digest}
	if slices.Contains(a.Sources, s) || len(a.Sources) >= maxSources && a.citesDocument(f.from.URL) {
		return
	}
	a.Sources = append(a.Sources, s)
	if a.Value != "" {
		a.Value += "; "
	}
	a.Value += f.Text
}

// explainSilence says why a channel that speaks of the resource says nothing of a use.
func (a *Answer) explainSilence(own []found) {
	a.Loss = SortedSet(a.Loss)
	if a.Effect != Unknown || a.Retention != "" {
		a.Why = ""
		return
	}
	if a.Why == "" {
		a.Why = WhyNotCovered
	}
	if len(a.Sources) == 0 {
		for _, f := range own {
			a.citeSource(f)
		}
	}
}

// citesDocument reports whether a document is among the sources.
func (a *Answer) citesDocument(url string) bool {
	for i := range a.Sources {
		if a.Sources[i].URL == url {
			return true
		}
	}
	return false
}
