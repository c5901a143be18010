package channel

import (
	"bytes"

	"colophon/internal/channel/said"
	"colophon/internal/wire"
)

// aiTxt writes Spawning's ai.txt, which speaks of training.
func (w *packer) aiTxt() {
	speeches := make([]speech, len(w.regions))
	for i, r := range w.regions {
		speeches[i] = r.speak(AITxt, false, crawlWords...)
	}
	speeches = nested(w.regions, speeches)
	var b bytes.Buffer
	b.WriteString("User-Agent: *\n")
	for i, r := range w.regions {
		switch speeches[i].get("train") {
		case Allow:
			b.WriteString("Allow: " + r.prefix + "\n")
		case Disallow:
			b.WriteString("Disallow: " + r.prefix + "\n")
		}
	}
	if b.Len() > len("User-Agent: *\n") { // without a rule it would be no ai.txt
		w.file(FileAITxt, "text/plain", b.Bytes())
	}
	for i, s := range force(w.regions, speeches) {
		w.lost(FileAITxt, AITxt, crawlWords, w.regions[i], s.says(AITxt))
	}
}

func (w *packer) trustTxt() {
	s := w.all.speak(TrustTxt, false, crawlWords...)
	var b bytes.Buffer
	switch s.get("train") {
	case Allow:
		b.WriteString("datatrainingallowed=yes\n")
	case Disallow:
		b.WriteString("datatrainingallowed=no\n")
	}
	if b.Len() > 0 {
		w.file(FileTrustTxt, "text/plain", b.Bytes())
	}
	w.lostEverywhere(FileTrustTxt, TrustTxt, crawlWords, s.says(TrustTxt))
}

var cawgWords = []string{"ai_inference", "any_training", "data_mining"}

// cawg writes the training-mining assertion: constrained says where to ask.
func (w *packer) cawg() {
	s := w.all.speak(CAWG, true, cawgWords...)
	entries := wire.Object()
	put := func(name string, e Effect) {
		value := wire.Object(wire.M("use", wire.String(map[Effect]string{Allow: "allowed", Disallow: "notAllowed", Priced: "constrained"}[e])))
		if e == Priced {
			value.Members = append(value.Members, wire.M("constraint_info", wire.String(w.p.RequestURL)))
		}
		entries.Members = append(entries.Members, wire.M("cawg."+name, value))
	}
	for _, x := range s {
		if x.word == "any_training" {
			put("ai_training", x.effect)
			put("ai_generative_training", x.effect)
			continue
		}
		put(x.word, x.effect)
	}
	w.json(FileCAWG, "application/json", wire.Object(wire.M("entries", entries)))
	w.lostEverywhere(FileCAWG, CAWG, cawgWords, s.says(CAWG))
}

var plusWords = []string{"mining", "training", "search", "anything"}

// plus chooses the one value that plus:DataMining can have.
func (w *packer) plus() {
	value, s := w.all.plusValue()
	w.file(FilePLUS, "text/plain", []byte("http://ns.useplus.org/ldf/vocab/"+value+"\n"))
	w.lostEverywhere(FilePLUS, PLUS, plusWords, s.says(PLUS))
}

func (r *region) plusValue() (string, speech) {
	mining, search := r.word(PLUS, "mining", false), r.word(PLUS, "search", false)
	switch {
	case mining == Disallow && search == Allow:
		return "DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING", speech{{"mining", Disallow}, {"search", Allow}}
	case r.wantsNo(PLUS, "mining") && search == Disallow:
		return "DMI-PROHIBITED", speech{{"anything", Disallow}}
	case r.word(PLUS, "training", false) == Disallow:
		return "DMI-PROHIBITED-AIMLTRAINING", speech{{"training", Disallow}}
	case mining == Allow:
		return "DMI-ALLOWED", speech{{"mining", Allow}}
	}
	return "DMI-UNSPECIFIED", nil
}

// wantsNo: every use that the word names is disallowed or has a price.
func (r *region) wantsNo(name Name, word string) bool {
	for i, c := range wordCovers(name, word) {
		if c == said.Exactly && r.want[i] != Disallow && r.want[i] != Priced {
			return false
		}
	}
	return true
}

// comp writes a CoMP package for what is offered on every path; which
// functions it is for stands in its ext.
func (w *packer) comp() {
	words := []string{"ai-train", "ai-input", "search"}
	var s speech
	functions := wire.Array()
	for _, x := range w.all.speak(CoMP, true, words...) {
		if x.effect != Priced {
			continue // a package can only offer
		}
		s = append(s, x)
		for n, f := range compFunctions {
			if f == x.word {
				functions.Items = append(functions.Items, wire.Int(int64(n)))
			}
		}
	}
	w.lostEverywhere(FileCoMP, CoMP, words, s.says(CoMP))
	w.json(FileCoMP, "application/json", wire.Object(wire.M("package", wire.Object(
		wire.M("citation", wire.Int(1)),
		wire.M("ext", wire.Object(wire.M("function", functions))),
		wire.M("id", wire.String("pkg_"+w.p.SiteID)),
		wire.M("licenseurl", wire.String(w.p.RequestURL)),
		wire.M("retrieval", wire.Object(wire.M("auth", wire.Int(4)), wire.M("type", wire.Array(wire.Int(0))))),
		wire.M("scope", wire.Object(wire.M("ctype", wire.Array(wire.Int(0))), wire.M("max", wire.Int(1)), wire.M("scope", wire.Int(0)))),
		wire.M("seller", wire.String(hostOf(w.p.SiteURL))),
		wire.M("title", wire.String(w.p.Name)),
	))))
}
