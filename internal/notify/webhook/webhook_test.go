package webhook_test

import (
	"errors"
	"strings"
	"testing"

	"colophon/internal/notify/webhook"
	"colophon/internal/usage"
)

// TestCheckAddress checks which addresses can get notifications, without and
// with private ones.
func TestCheckAddress(t *testing.T) {
	const noHTTPS, private, noMail = "is not an https address without credentials", "is not a public address", "is not mailto: and one e-mail address"
	for address, want := range map[string]struct{ public, private string }{
		"https://desk.example/hooks":     {},
		"https://192.0.2.1/hooks":        {private, ""},
		"https://8.8.8.8/hooks":          {},
		"https://10.0.0.1/hooks":         {private, ""},
		"https://localhost/hooks":        {private, ""},
		"http://localhost:9000/hooks":    {private, ""},
		"http://127.0.0.1:9000/hooks":    {private, ""},
		"http://[::1]:9000/hooks":        {private, ""},
		"http://10.0.0.1/hooks":          {noHTTPS, noHTTPS},
		"http://desk.example/hooks":      {noHTTPS, noHTTPS},
		"https://user:pw@desk.example/":  {noHTTPS, noHTTPS},
		"ftp://localhost/":               {noHTTPS, noHTTPS},
		"https:///hooks":                 {noHTTPS, noHTTPS},
		"https://desk.example:port/":     {noHTTPS, noHTTPS},
		"desk.example":                   {noHTTPS, noHTTPS},
		"":                               {noHTTPS, noHTTPS},
		"mailto:desk@harbor.example":     {},
		"mailto:desk":                    {noMail, noMail},
		"mailto:a@b.example,c@d.example": {noMail, noMail},
		"mailto:":                        {noMail, noMail},
	} {
		for allow, want := range map[bool]string{false: want.public, true: want.private} {
			err := webhook.CheckAddress(address, allow)
			var bad *usage.Error
			if want == "" && err != nil || want != "" && (!errors.As(err, &bad) || !strings.Contains(err.Error(), want)) {
				t.Errorf("%q, private addresses %t: %v, want %q", address, allow, err, want)
			}
		}
	}
}
