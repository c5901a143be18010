package intake

import "testing"

func TestTitleOfItem(t *testing.T) {
	for in, want := range map[string]string{
		"Ebb &#8211; flood &amp; tide":                   "Ebb – flood & tide",
		"Of <em>ships</em> and <a href=\"/x\">ropes</a>": "Of ships and ropes",
		"Using the <b> tag":                              "Using the <b> tag",
		" Ebb\n and flow ":                               "Ebb and flow",
		"1 < 2":                                          "1 < 2",
		"":                                               "",
	} {
		if got := titleOfItem(in); got != want {
			t.Errorf("%q reads %q, want %q", in, got, want)
		}
	}
}
