package prose

import (
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
)

func TestAudienceWords(t *testing.T) {
	for _, x := range []struct {
		a    exports.AudienceVerdict
		want string
	}{
		{exports.AudienceVerdict{}, "anybody"},
		{exports.AudienceVerdict{UserTypes: []string{"commercial"}}, "a business"},
		{exports.AudienceVerdict{UserTypes: []string{"commercial", "government"}, Territories: []string{"DE", "EU_other"}}, "a business or a public authority in DE or the rest of the EU"},
		{exports.AudienceVerdict{Agents: []string{"ccbot", "gptbot", "other"}}, "anybody with ccbot, gptbot or any other agent"},
		{exports.AudienceVerdict{Territories: []string{"EU", "other"}}, "anybody in the EU as a whole or any other place"},
	} {
		assert.Equal(t, AudienceWords(&x.a), x.want, "%+v", x.a)
	}
}

// TestEveryWordIsExplained checks that no verdict, reason or kind of user is
// shown by its vocabulary word.
func TestEveryWordIsExplained(t *testing.T) {
	for _, v := range exports.Verdicts {
		if v != "licensed" && v != "unknown" && VerdictWord(v) == "Unknown" {
			t.Errorf("the verdict %s is shown as unknown", v)
		}
		if VerdictMeaning(v) == "" {
			t.Errorf("the verdict %s has no meaning", v)
		}
	}
	assert.Equal(t, VerdictWord("unheard_of"), "Unknown", "a verdict that is none is not unknown")
	for _, u := range exports.UserTypes {
		if UserTypeName(u) == PlainWord(u) {
			t.Errorf("the kind of user %s has no name", u)
		}
	}
	assert.Equal(t, ReasonWords("grant_missing"), "Grant missing.", "a reason without a sentence")
	assert.Equal(t, ReasonWords(""), ".", "no reason")
}

func TestRightsGroups(t *testing.T) {
	got := ""
	for _, g := range RightsGroups("LDdSDLUW") {
		got += string(g.Letter) + " " + g.Word + ": " + g.Uses + "\n"
	}
	want := "s Signals allow: Search indexing\nl Ask first: Retrieval (RAG), Datasets\nd Declined: Training, Fine-tuning, Summarization\nu Unknown: Syndication\nw Withdrawn: Research\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if all := RightsGroups("UUUUUUUU"); len(all) != 1 || all[0].Uses != "all eight uses" {
		t.Errorf("%+v", all)
	}
	if none := RightsGroups(""); len(none) != 1 || none[0].Word != "Unknown" {
		t.Errorf("no vector is %+v", none)
	}
}
