package intake

import "testing"

func TestWordPressText(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"blank lines", "One\r\n\r\ntwo", "<p>One</p>\n<p>two</p>"},
		{"paragraphs", "<p>One</p>", "<p>One</p>"},
		{"caption", `<p>[caption id="a" align="left"]<img src="x"> The quay[/caption]</p>`, `<p><img src="x"> The quay</p>`},
		{"gallery", `<p>a[gallery ids="1,2"]b</p>`, "<p>ab</p>"},
		{"embed", "<p>[embed width=\"9\"]https://video.example/1[/embed]</p>", "<p></p>"},
		{"quoted", "<p>Write [[gallery]] there</p>", "<p>Write [gallery] there</p>"},
		{"brackets of the text", "<p>[sic] [videos] [1]</p>", "<p>[sic] [videos] [1]</p>"},
	} {
		if got := wordPressText(c.content); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
