package extract

import (
	"slices"
	"strings"
	"testing"
)

// TestDetectLanguageOfProse checks that the language of a few sentences is
// detected.
func TestDetectLanguageOfProse(t *testing.T) {
	for want, text := range map[string]string{
		"en": "The harbour office keeps a list of the ships that are expected in the coming week, with the berth that each of them is given and the goods on board.",
		"fr": "Le bureau du port tient la liste des navires qui sont attendus dans la semaine, avec le quai que chacun reçoit et les marchandises qui se trouvent à bord.",
		"de": "Das Hafenamt führt eine Liste der Schiffe, die in der kommenden Woche erwartet werden, mit dem Liegeplatz, der ihnen zugewiesen ist, und der Ladung an Bord.",
		"es": "La oficina del puerto lleva una lista de los barcos que se esperan en la semana que viene, con el muelle que se da a cada uno y las mercancías que llevan.",
		"nl": "Het havenkantoor houdt een lijst bij van de schepen die in de komende week verwacht worden, met de ligplaats die ze krijgen en de goederen die ze aan boord hebben.",
		"pl": "Biuro portu prowadzi listę statków, które są oczekiwane w nadchodzącym tygodniu, oraz miejsca, jakie każdy z nich dostanie, i towarów, które się na nich znajdują.",
		"ja": strings.Repeat("libcore と configuration-environment の administration を行うための設定です。", 4), // most of its letters are Latin
		"ru": "Управление порта ведёт список судов, которые ожидаются на следующей неделе, с указанием причала для каждого из них и груза, находящегося на борту судна.",
	} {
		if got, _ := DetectLanguage(text); got != want {
			t.Errorf("%s is taken for %q: %s", want, got, text)
		}
	}
}

// TestDetectLanguageOfLists checks that no language is detected for lists of
// names, whatever their letters.
func TestDetectLanguageOfLists(t *testing.T) {
	for _, text := range []string{
		"Intrusion Detection Environment, common files. Depends: libcore, configuration, administration, documentation-tools. Suggests: evolution, presentation-engine, communication-server.",
		"Transitional package. Section: administration. Recommends: cron, mail-transport-agent, system-log-daemon. Suggests: localisation, installation-guide, instrumentation.",
		"Marta Lindqvist, Jean Dupont, Anders Pettersen, Ingrid Solheim, Pierre Lefebvre, Claire Fontaine, Henrik Sandvik, Odile Marchand, Lars Nordmann, Solveig Andersen",
	} {
		if got := guessLanguage(text).tag; got == "" || got == "en" {
			t.Errorf("its letters are taken for %q, so this says nothing: %s", got, text)
		}
		if got, confidence := DetectLanguage(text); got != "" || confidence != 0 {
			t.Errorf("it is taken for %q: %s", got, text)
		}
	}
}

// TestFunctionWordsAreNotEnglish compares each list with the English one.
func TestFunctionWordsAreNotEnglish(t *testing.T) {
	english := strings.Fields(functionWords["en"])
	for tag, list := range functionWords {
		for _, word := range strings.Fields(list) {
			if tag != "en" && slices.Contains(english, word) {
				t.Errorf("%s: %q is English", tag, word)
			}
			if word != strings.ToLower(word) {
				t.Errorf("%s: %q is not in small letters", tag, word)
			}
		}
	}
}

// TestUnknownFunctionWords checks that languages without a list are recognised
// by their alphabet alone.
func TestUnknownFunctionWords(t *testing.T) {
	for _, c := range []struct {
		tag, text string
		want      bool
	}{{"el", "Συνοπτική περιγραφή του προγράμματος", true}, {"sw", "Maelezo mafupi ya programu", false}} {
		if got := hasFunctionWords(c.tag, c.text); got != c.want {
			t.Errorf("%s %q: %v", c.tag, c.text, got)
		}
	}
}
