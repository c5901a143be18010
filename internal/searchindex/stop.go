package searchindex

import "strings"

// StopWords are words that carry a question but not its subject, in English,
// German, French and Spanish, as Tokens folds them. The search of the catalog
// page has the same list (site/assets/search.js).
const StopWords = "a about an and any are as at be been but by can could did do doe for from had has have how i if in into is it its may me might my no not of on or our should so such than that the their them then there these they this those to us was we were what when where which who whom whose why will with would you your " +
	"aber als am au auch auf bei bin bis da das dem den der die du ein eine einem einen einer er es fur haben hat ich ihr im ist kann konnen man mein mit nach nicht oder sein sich sie sind uber um und von vor wann war warum welche welcher wenn wer werden wie wir wird wo zu zum zur " +
	"ce cette comment dan de des donc elle en est et il je la le les leur ma mais mon ne nous ont ou par pas peut pour pourquoi qu quand que quel quelle qui sa se ses son sont sur tu un une vous " +
	"al como con cual cuando del donde el ella ello entre era eso esta este fue ha hay las lo los mas mi muy o para pero por porque puede quien si sin sobre su sus te tiene una uno y ya yo"

// IsStopWord reports whether a word, as Tokens folds it, is one of StopWords.
func IsStopWord(word string) bool {
	for rest := StopWords; rest != ""; {
		var w string
		w, rest, _ = strings.Cut(rest, " ")
		if w == word {
			return true
		}
	}
	return false
}
