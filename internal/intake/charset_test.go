package intake_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

func TestCharsets(t *testing.T) {
	latin := "Café “Zur Möwe” – 5 € für ein Frühstück am Kai, täglich außer sonntags, wenn das Wetter es erlaubt und die Fähre fährt."
	japan := "港の事務所は今朝、到着した船の記録を公表した。木材と穀物が前の年よりも一割ほど増えたという。東の岸壁には冬までに新しいクレーンが立つ予定である。会議で決まった。"
	china := "港务局今天上午公布了数据，到港船只比上年增加了一成，木材和粮食居首。市议会表示，东码头将在冬季之前安装一台新的起重机，吃水较深的船只不必再等待涨潮。"
	for _, c := range []struct {
		name, media, head, text string
		enc                     encoding.Encoding
	}{
		{"windows-1252 header", "text/html; charset=windows-1252", "", latin, charmap.Windows1252},
		{"windows-1252 as Latin-1", "text/html; charset=ISO-8859-1", "", latin, charmap.Windows1252},
		{"windows-1252 meta", "text/html", `<meta charset="windows-1252">`, latin, charmap.Windows1252},
		{"nothing declared", "text/html", "", latin, charmap.Windows1252},
		{"Shift JIS header", "text/html; charset=Shift_JIS", "", japan, japanese.ShiftJIS},
		{"Shift JIS meta", "text/html", `<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">`, japan, japanese.ShiftJIS},
		{"GB 18030", "text/html", `<meta charset=gb18030>`, china, simplifiedchinese.GB18030},
		{"UTF-8 undeclared", "text/html", "<!-- " + strings.Repeat("plain ASCII first ", 100) + "-->", latin, encoding.Nop},
		{"UTF-8 with mark", "text/html", "", japan, unicode.UTF8BOM},
		{"UTF-16 with mark", "text/html", "", china, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := `<html lang="und"><head>` + c.head + `<title>` + c.text[:len("Caf")] + `</title></head><body><article><p>` + c.text + `</p><p>` + c.text + `</p></article></body></html>`
			raw, err := c.enc.NewEncoder().String(page)
			must(t, err)
			w := newWorld(t)
			w.serve("/p", c.media, raw)
			tally(t, w.must("/p"), 1, 0, 0, 0, 0)
			if got := w.body("/p").Text; got != c.text+"\n\n"+c.text {
				t.Errorf("text %q", got)
			}
			if p := w.find("/p"); p.Portable == "" || p.WordCount < 20 {
				t.Errorf("%+v", p)
			}
		})
	}
	t.Run("bytes that the encoding lacks", func(t *testing.T) {
		w := newWorld(t)
		w.serve("/p", "text/html; charset=Shift_JIS", "<article><p>"+strings.Repeat("text \x80\xff ", 30)+"</p></article>")
		sum := w.must("/p")
		reason(t, sum.Review, "suspected_mojibake", "/p", "could not be decoded")
		if p := w.find("/p"); p.Portable != "" {
			t.Errorf("a page in review has the fingerprint %s", p.Portable)
		}
	})
}
