package channelpack

import (
	"bytes"

	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// aiTxt writes Spawning's ai.txt, which speaks of training.
func (w *packer) aiTxt() {
	speeches := make([]speech, len(w.regions))
	for i, r := range w.regions {
		speeches[i] = r.chooseWords(statements.AITxt, false, crawlWords...)
	}
	speeches = resolveNested(w.regions, speeches)
	var b bytes.Buffer
	b.WriteString("User-Agent: *\n")
	for i, r := range w.regions {
		switch speeches[i].effectOf("train") {
		case statements.Allow:
			b.WriteString("Allow: " + r.prefix + "\n")
		case statements.Disallow:
			b.WriteString("Disallow: " + r.prefix + "\n")
		}
	}
	if b.Len() > len("User-Agent: *\n") { // without a rule it would be no ai.txt
		w.addFile(FileAITxt, "text/plain", b.Bytes())
	}
	for i, s := range effectiveSpeeches(w.regions, speeches) {
		w.noteLosses(FileAITxt, statements.AITxt, crawlWords, w.regions[i], s.readBack(statements.AITxt))
	}
}

func (w *packer) trustTxt() {
	s := w.all.chooseWords(statements.TrustTxt, false, crawlWords...)
	var b bytes.Buffer
	switch s.effectOf("train") {
	case statements.Allow:
		b.WriteString("datatrainingallowed=yes\n")
	case statements.Disallow:
		b.WriteString("datatrainingallowed=no\n")
	}
	if b.Len() > 0 {
		w.addFile(FileTrustTxt, "text/plain", b.Bytes())
	}
	w.lostEverywhere(FileTrustTxt, statements.TrustTxt, crawlWords, s.readBack(statements.TrustTxt))
}

var cawgWords = []string{"ai_inference", "any_training", "data_mining"}

// writeCAWG writes the training-mining assertion: constrained says where to ask.
func (w *packer) writeCAWG() {
	s := w.all.chooseWords(statements.CAWG, true, cawgWords...)
	entries := wire.Object()
	put := func(name string, e statements.Effect) {
		value := wire.Object(wire.M("use", wire.String(map[statements.Effect]string{statements.Allow: "allowed", statements.Disallow: "notAllowed", statements.Priced: "constrained"}[e])))
		if e == statements.Priced {
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
	w.addJSON(FileCAWG, "application/json", wire.Object(wire.M("entries", entries)))
	w.lostEverywhere(FileCAWG, statements.CAWG, cawgWords, s.readBack(statements.CAWG))
}

var plusWords = []string{"mining", "training", "search", "anything"}

// writePLUS chooses the one value that plus:DataMining can have.
func (w *packer) writePLUS() {
	value, s := w.all.plusValue()
	w.addFile(FilePLUS, "text/plain", []byte("http://ns.useplus.org/ldf/vocab/"+value+"\n"))
	w.lostEverywhere(FilePLUS, statements.PLUS, plusWords, s.readBack(statements.PLUS))
}

func (r *region) plusValue() (string, speech) {
	mining, search := r.wordEffect(statements.PLUS, "mining", false), r.wordEffect(statements.PLUS, "search", false)
	switch {
	case mining == statements.Disallow && search == statements.Allow:
		return "DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING", speech{{"mining", statements.Disallow}, {"search", statements.Allow}}
	case r.wantsNo(statements.PLUS, "mining") && search == statements.Disallow:
		return "DMI-PROHIBITED", speech{{"anything", statements.Disallow}}
	case r.wordEffect(statements.PLUS, "training", false) == statements.Disallow:
		return "DMI-PROHIBITED-AIMLTRAINING", speech{{"training", statements.Disallow}}
	case mining == statements.Allow:
		return "DMI-ALLOWED", speech{{"mining", statements.Allow}}
	}
	return "DMI-UNSPECIFIED", nil
}

// wantsNo reports whether every use that the word names is disallowed or has a
// price.
func (r *region) wantsNo(name statements.Name, word string) bool {
	for i, c := range statements.Covers(name, word) {
		if c == statements.Exactly && r.want[i] != statements.Disallow && r.want[i] != statements.Priced {
			return false
		}
	}
	return true
}

// writeCoMP writes a CoMP package for what is offered on every path; its ext
// gives the functions.
func (w *packer) writeCoMP() {
	words := []string{"ai-train", "ai-input", "search"}
	var s speech
	functions := wire.Array()
	for _, x := range w.all.chooseWords(statements.CoMP, true, words...) {
		if x.effect != statements.Priced {
			continue // a package can only offer
		}
		s = append(s, x)
		for n, f := range channel.CoMPFunctions {
			if f == x.word {
				functions.Items = append(functions.Items, wire.Int(int64(n)))
			}
		}
	}
	w.lostEverywhere(FileCoMP, statements.CoMP, words, s.readBack(statements.CoMP))
	w.addJSON(FileCoMP, "application/json", w.p.compPackage("pkg_"+w.p.SiteID, w.p.Name, 1, functions, compScope(0)))
}
