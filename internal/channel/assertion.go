package channel

import (
	"strings"

	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// ParseCAWG reads the data of a cawg.training-mining assertion (or of the
// c2pa.training-mining assertion that came before it). A use that is
// constrained without a word on how is not allowed.
func ParseCAWG(in Input) Result {
	r, v, ok := jsonResult(in, statements.CAWG)
	r.Embedded = true
	if !ok {
		return r
	}
	entries := v.Get("entries")
	if entries == nil {
		entries = v.Get("data").Get("entries")
	}
	if entries == nil || entries.Kind != wire.KindObject {
		r.rejectDocument("cawg_without_entries", "", "")
		return r
	}
	for i := range entries.Members {
		cawgEntry(&r, entries.Members[i].Name, &entries.Members[i].Value)
	}
	cawgTraining(&r)
	for i := range v.Members {
		if name := v.Members[i].Name; strings.HasPrefix(name, "cawg.") || strings.HasPrefix(name, "c2pa.") {
			r.addGap("cawg_entry_misplaced", name, "")
		}
	}
	return r
}

func cawgEntry(r *Result, name string, v *wire.Value) {
	word, ok := strings.CutPrefix(name, "cawg.")
	if !ok {
		if word, ok = strings.CutPrefix(name, "c2pa."); ok {
			r.addWarning("cawg_old_prefix", name, "")
		}
	}
	switch word {
	case "data_mining", "ai_inference", "ai_generative_training", "ai_training":
	default:
		if use, _ := v.Get("use").Str(); use == "allowed" {
			r.addWarning("cawg_entry_unknown", name, "")
		} else {
			r.addGap("cawg_entry_unknown", name, "")
		}
		return
	}
	use, _ := v.Get("use").Str()
	s := statements.Statement{Channel: statements.CAWG, Word: word, Locator: name, Text: word + "=" + clipText(use)}
	switch use {
	case "allowed":
		s.Effect = statements.Allow
	case "notAllowed":
		s.Effect = statements.Disallow
	case "constrained":
		info := jsonText(v.Get("constraint_info"))
		if info == "" {
			info = jsonText(v.Get("constraints_info"))
		}
		s.Effect = statements.Priced
		if info == "" {
			s.Effect = statements.Disallow
			r.addWarning("cawg_constrained_without_info", name, "")
		}
		if abs, ok := ResolveAbsolute("", info); ok {
			s.Terms.Custom = abs
			r.addLink("", statements.Link{Rel: "acquire-license", URL: abs, Locator: name})
		}
	default:
		r.addGap("cawg_use_unknown", name, use)
		return
	}
	r.addStatement(s)
}

// cawgTraining adds the word "any_training" when neither kind of training is
// ruled out: our use training means either, on the stricter of both terms.
func cawgTraining(r *Result) {
	kinds := 0
	both := statements.Statement{Channel: statements.CAWG, Word: "any_training", Effect: statements.Allow, Locator: "entries"}
	for _, s := range r.Statements {
		if s.Word != "ai_training" && s.Word != "ai_generative_training" || s.Effect == statements.Disallow {
			continue
		}
		kinds++
		if s.Effect == statements.Priced {
			both.Effect, both.Terms = statements.Priced, s.Terms
		}
	}
	if kinds == 2 {
		both.Text = "both kinds of training: " + both.Effect.String()
		r.addStatement(both)
	}
}

// ParsePLUS reads a plus:DataMining value, as a vocabulary URI or its last
// part.
func ParsePLUS(in Input) Result {
	r := newResult(in, statements.PLUS)
	r.Embedded = true
	value := strings.TrimSpace(string(in.Body))
	key := plusLabel(value)
	if key == "" {
		key = strings.ToUpper(localName(value))
	}
	if !strings.HasPrefix(key, "DMI-") {
		r.addWarning("plus_value_short", "", value)
		key = "DMI-" + key
	}
	s := statements.Statement{Channel: statements.PLUS, Locator: "plus:DataMining", Text: key, Effect: statements.Disallow}
	switch key {
	case "DMI-UNSPECIFIED":
		return r
	case "DMI-ALLOWED":
		s.Word, s.Effect = "mining", statements.Allow
	case "DMI-PROHIBITED-AIMLTRAINING", "DMI-PROHIBITED-GENAIMLTRAINING":
		s.Word = "training"
	case "DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING":
		s.Word = "mining"
		search := s
		search.Word, search.Effect = "search", statements.Allow
		r.addStatement(search)
	case "DMI-PROHIBITED", "DMI-PROHIBITED-SEECONSTRAINT", "DMI-PROHIBITED-SEEEMBEDDEDRIGHTSEXPR", "DMI-PROHIBITED-SEELINKEDRIGHTSEXPR":
		s.Word = "anything"
	default:
		r.rejectDocument("plus_value_unknown", "", value)
		return r
	}
	r.addStatement(s)
	return r
}

// plusLabel returns the key of a value that is written as its label, as
// programs for picture metadata do, or "" for a text that is not a label.
func plusLabel(value string) string {
	label := strings.ToLower(strings.Join(strings.Fields(value), " "))
	switch {
	case label == "allowed":
		return "DMI-ALLOWED"
	case strings.HasPrefix(label, "unspecified"):
		return "DMI-UNSPECIFIED"
	case label == "prohibited for ai/ml training", label == "prohibited for generative ai/ml training":
		return "DMI-PROHIBITED-AIMLTRAINING"
	case label == "prohibited except for search engine indexing":
		return "DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING"
	case label == "prohibited", strings.HasPrefix(label, "prohibited "), strings.HasPrefix(label, "prohibited,"):
		return "DMI-PROHIBITED"
	}
	return ""
}
