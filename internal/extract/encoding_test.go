package extract

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"colophon/internal/assert"
)

var must = assert.NoError

// scripts are texts of several hundred letters, one for each language.
var scripts = map[string]string{
	"ja": "港の事務所は今朝、到着した船の記録を公表した。木材と穀物が前の年よりも一割ほど増えたという。東の岸壁には冬までに新しいクレーンが立つ予定である。会議で決まったことは、すべての人に知らされる。水先案内人とタグボートの乗組員は、それぞれ自分の帳簿をつけている。",
	"zh": "港务局今天上午公布了数据，到港船只比上年增加了一成，木材和粮食居首。市议会表示，东码头将在冬季之前安装一台新的起重机，吃水较深的船只不必再等待涨潮。引航员和拖船船员各有自己的账本，每季度末进行比较，有出入的地方由港口书记员解决。",
	"tw": "港務局今天上午公布了資料，到港船隻比上年增加了一成，木材和糧食居首。市議會表示，東碼頭將在冬季之前安裝一台新的起重機，吃水較深的船隻不必再等待漲潮。引水人和拖船船員各有自己的帳簿，每季末進行比較，有出入的地方由港口書記解決。",
	"ko": "항만청은 오늘 아침 통계를 발표했다. 입항 기록은 지난해보다 십 퍼센트 늘었고 목재와 곡물이 가장 많았다. 동쪽 부두에는 겨울이 오기 전에 새로운 기중기가 세워질 예정이다. 도선사와 예인선 선원들은 저마다 장부를 적고 있으며 분기마다 서로 비교한다.",
	"ru": "Портовое управление сегодня утром опубликовало свои данные: число прибывших судов выросло на десятую часть по сравнению с прошлым годом, больше всего было леса и зерна. Лоцманы и команды буксиров ведут собственные книги, и в конце каждого квартала их сверяют между собой.",
	"uk": "Портове управління сьогодні вранці оприлюднило свої дані: кількість прибулих суден зросла на десяту частину порівняно з минулим роком, найбільше було лісу та зерна. Лоцмани й екіпажі буксирів ведуть власні книги, і наприкінці кожного кварталу їх звіряють між собою.",
	"pl": "Urząd portowy ogłosił dziś rano swoje dane: liczba statków, które przypłynęły, wzrosła o jedną dziesiątą w porównaniu z rokiem ubiegłym, a najwięcej było drewna i zboża. Piloci i załogi holowników prowadzą własne księgi, które porównuje się pod koniec każdego kwartału.",
	"cs": "Přístavní úřad dnes ráno zveřejnil své údaje: počet připlouvajících lodí vzrostl o desetinu oproti loňskému roku a nejvíce bylo dřeva a obilí. Lodivodi a posádky remorkérů si vedou vlastní knihy, které se na konci každého čtvrtletí porovnávají.",
	"el": "Το λιμεναρχείο δημοσίευσε σήμερα το πρωί τα στοιχεία του: οι αφίξεις πλοίων αυξήθηκαν κατά ένα δέκατο σε σχέση με πέρυσι, με την ξυλεία και τα σιτηρά να προηγούνται. Οι πλοηγοί και τα πληρώματα των ρυμουλκών κρατούν ο καθένας το δικό του βιβλίο.",
	"tr": "Liman idaresi bu sabah rakamlarını açıkladı: gelen gemilerin sayısı geçen yıla göre onda bir arttı, kereste ve tahıl başı çekti. Kılavuzlar ve römorkör mürettebatı kendi defterlerini tutuyor, bunlar her çeyreğin sonunda karşılaştırılıyor ve farklar giderilir.",
	"de": "Die Hafenbehörde veröffentlichte heute früh ihre Zahlen: Die Zahl der Ankünfte ist gegenüber dem Vorjahr um ein Zehntel gewachsen, allen voran Holz und Getreide. Lotsen und Schlepper führen eigene Bücher, die am Ende jedes Vierteljahres verglichen werden, und was übrig bleibt, klärt der Schreiber.",
	"he": "רשות הנמל פרסמה הבוקר את נתוניה: מספר האוניות שהגיעו גדל בעשירית לעומת השנה שעברה, ובראש עץ ותבואה. הנתבים וצוותי הגוררות מנהלים ספרים משלהם, ואלה מושווים בסוף כל רבעון, ומה שאינו תואם מיושב בידי פקיד הנמל.",
	"ar": "نشرت هيئة الميناء هذا الصباح أرقامها: ازداد عدد السفن القادمة بمقدار العشر مقارنة بالعام الماضي، وتصدر الخشب والحبوب القائمة. يحتفظ المرشدون وطواقم القاطرات بدفاتر خاصة بهم، وتقارن في نهاية كل ربع سنة.",
}

// TestEncodings decodes pages in many encodings that are stated in the header,
// in the page, or not at all. No page may come out as mojibake without being
// suspected; a stated encoding must be decoded correctly.
func TestEncodings(t *testing.T) {
	type encoded struct {
		label, text string
		enc         encoding.Encoding
	}
	cases := []encoded{
		{"shift_jis", "ja", japanese.ShiftJIS}, {"euc-jp", "ja", japanese.EUCJP}, {"iso-2022-jp", "ja", japanese.ISO2022JP},
		{"gbk", "zh", simplifiedchinese.GBK}, {"gb18030", "zh", simplifiedchinese.GB18030}, {"big5", "tw", traditionalchinese.Big5}, {"euc-kr", "ko", korean.EUCKR},
		{"windows-1251", "ru", charmap.Windows1251}, {"koi8-r", "ru", charmap.KOI8R}, {"koi8-u", "uk", charmap.KOI8U}, {"iso-8859-5", "ru", charmap.ISO8859_5},
		{"windows-1250", "pl", charmap.Windows1250}, {"iso-8859-2", "cs", charmap.ISO8859_2}, {"windows-1253", "el", charmap.Windows1253}, {"iso-8859-7", "el", charmap.ISO8859_7},
		{"windows-1254", "tr", charmap.Windows1254}, {"windows-1252", "de", charmap.Windows1252}, {"windows-1255", "he", charmap.Windows1255}, {"windows-1256", "ar", charmap.Windows1256},
		{"utf-8", "ja", encoding.Nop}, {"utf-16le", "ru", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)},
	}
	right, suspected, all := 0, 0, 0
	for _, c := range cases {
		for _, stated := range []string{"header", "meta", "nowhere"} {
			t.Run(c.label+" stated "+stated, func(t *testing.T) {
				head, media := "", "text/html"
				switch stated {
				case "header":
					media += "; charset=" + c.label
				case "meta":
					head = fmt.Sprintf("<meta charset=%q>", c.label)
				}
				page := "<html><head>" + head + "<title>x</title></head><body><p>" + scripts[c.text] + "</p></body></html>"
				raw, err := c.enc.NewEncoder().String(page)
				must(t, err)
				d, err := Decode([]byte(raw), media)
				must(t, err)
				all++
				why := d.Suspect + SuspectText(scriptText(d.Text))
				switch {
				case d.Text == page && why != "" && stated != "nowhere":
					t.Errorf("right and suspected: %s", why)
				case d.Text == page:
					right++
				case why != "" && stated == "nowhere":
					suspected++
				default:
					t.Errorf("mojibake as %s (%s, %q): %.80s", d.Encoding, d.How, why, scriptText(d.Text))
				}
			})
		}
	}
	t.Logf("%d of %d right, %d suspected", right, all, suspected)
}

// TestEncodingThatIsStatedWrongly reads pages of servers that state one
// encoding for all pages: a page is suspected only if its bytes contradict
// that.
func TestEncodingThatIsStatedWrongly(t *testing.T) {
	page := func(language string) string {
		return "<html><head><title>x</title></head><body><p>" + strings.Repeat(scripts[language]+"\n", 3) + "</p></body></html>"
	}
	for _, c := range []struct {
		language, stated string
		enc              encoding.Encoding
	}{
		{"pl", "iso-8859-1", charmap.Windows1250}, {"cs", "iso-8859-1", charmap.ISO8859_2}, {"cs", "windows-1252", charmap.Windows1250}, {"tr", "iso-8859-1", charmap.Windows1254},
		{"el", "iso-8859-1", charmap.Windows1253}, {"ru", "windows-1252", charmap.Windows1251}, {"ru", "iso-8859-1", charmap.KOI8R}, {"he", "iso-8859-1", charmap.Windows1255}, {"ar", "iso-8859-1", charmap.Windows1256},
		{"ja", "iso-8859-1", japanese.ShiftJIS}, {"ja", "iso-8859-1", japanese.EUCJP}, {"ja", "utf-8", japanese.ISO2022JP}, {"zh", "iso-8859-1", simplifiedchinese.GBK}, {"tw", "iso-8859-1", traditionalchinese.Big5}, {"ko", "windows-1252", korean.EUCKR},
	} {
		raw, err := c.enc.NewEncoder().String(page(c.language))
		must(t, err)
		d, err := Decode([]byte(raw), "text/html; charset="+c.stated)
		if err != nil || d.Suspect+SuspectText(scriptText(d.Text)) == "" {
			t.Errorf("%s in %s stated as %s is not suspected: %.60q (%v)", c.language, c.enc, c.stated, scriptText(d.Text), err)
		}
	}
	signs := "<p>" + strings.Repeat(scripts["de"]+" Die Größen a°b, c²d, e³f und g±h.", 3)
	if raw, err := charmap.ISO8859_15.NewEncoder().String(signs); err != nil {
		t.Fatal(err)
	} else if d, err := Decode([]byte(raw), "text/html; charset=iso-8859-15"); err != nil || d.Text != signs || d.Suspect != "" {
		t.Errorf("signs that read the same as another encoding are suspected: %q (%v)", d.Suspect, err)
	}
	western := map[string]string{
		"fr": "Le bureau du port a publié ce matin ses chiffres : le nombre d’arrivées s’est accru d’un dixième par rapport à l’année précédente, grâce au bois et aux céréales. « Où étiez-vous ? » demanda le greffier à l’œil sévère ; les pilotes tiennent chacun leur propre livre, que l’on compare à la fin de chaque trimestre.",
		"es": "La oficina del puerto publicó esta mañana sus cifras: el número de llegadas creció una décima parte frente al año anterior. ¿Quién llevará los libros? Los prácticos y los remolcadores llevan cada uno el suyo, y al final de cada trimestre se comparan; lo que no coincide lo resuelve el escribano del puerto.",
		"sv": "Hamnkontoret offentliggjorde i morse sina siffror: antalet anlöp ökade med en tiondel jämfört med året före, med trä och spannmål i täten. Lotsarna och bogserbåtarna för var sin bok, och de jämförs i slutet av varje kvartal – vad som inte stämmer avgörs av hamnskrivaren på Ängsö (pris 5 €).",
		"de": scripts["de"], "fi": "Satamatoimisto julkaisi tänä aamuna lukunsa: saapuneiden alusten määrä kasvoi kymmenesosan edellisvuoteen verrattuna, puutavara ja vilja etunenässä. Luotsit ja hinaajat pitävät kukin omaa kirjaansa, ja niitä verrataan jokaisen neljänneksen lopussa; epäselvyydet selvittää satamakirjuri.",
	}
	for language, text := range western {
		raw, err := charmap.Windows1252.NewEncoder().String("<p>" + strings.Repeat(text+"\n", 3) + "</p>")
		must(t, err)
		for _, media := range []string{"text/html; charset=iso-8859-1", "text/html"} {
			if d, err := Decode([]byte(raw), media); err != nil || media != "text/html" && d.Suspect != "" || d.Encoding != "windows-1252" {
				t.Errorf("%s as %q: %s, suspected: %q (%v)", language, media, d.Encoding, d.Suspect, err)
			}
		}
	}
}

// TestEncodingsOfGreek reads what distinguishes the two Greek encodings: a
// capital with an accent.
func TestEncodingsOfGreek(t *testing.T) {
	text := strings.Repeat("Άνδρες και γυναίκες εργάζονται στο λιμάνι. Άλλοι κρατούν τα βιβλία, άλλοι οδηγούν τα ρυμουλκά. Άμα τη αφίξει του πλοίου όλοι το γράφουν. ", 3)
	for name, enc := range map[string]encoding.Encoding{"windows-1253": charmap.Windows1253, "iso-8859-7": charmap.ISO8859_7} {
		raw, err := enc.NewEncoder().String("<p>" + text + "</p>")
		must(t, err)
		if d, err := Decode([]byte(raw), "text/html"); err != nil || d.Encoding != name {
			t.Errorf("%s is read as %s (%v)", name, d.Encoding, err)
		}
	}
}

// scriptText returns the text of a page of the test.
func scriptText(page string) string {
	_, text, _ := strings.Cut(page, "<p>")
	text, _, _ = strings.Cut(text, "</p>")
	return text
}

// TestEncodingsWithoutAMark decodes texts whose encoding is not stated and
// whose single bytes are ambiguous.
func TestEncodingsWithoutAMark(t *testing.T) {
	turkish, err := charmap.Windows1254.NewEncoder().String("<title>Films</title><h1>The harbour films of this week</h1>" +
		strings.Repeat("<p>The ship that came from the north with timber and grain when the tide was low, in English: altyazısı</p>", 4))
	must(t, err)
	for _, c := range []struct {
		name, body string
		suspect    bool
	}{
		{"UTF-16", wide("<p>The ship came with timber and grain.</p>", 2), true},
		{"UTF-32", wide("<p>The ship came with timber and grain.</p>", 4), true},
		{"a stray null byte", "<p>" + strings.Repeat("The ship came with timber and grain. ", 9) + "\x00</p>", false},
		{"Turkish words among English ones", turkish, true},
		{"a name with an Icelandic letter", "<p>" + strings.Repeat("The ship came with timber and grain. ", 9) + "\xddr</p>", false},
	} {
		d, err := Decode([]byte(c.body), "text/html")
		must(t, err)
		if suspect := d.Suspect + SuspectText(d.Text); (suspect != "") != c.suspect {
			t.Errorf("%s: %s, suspect for %q", c.name, d.Encoding, suspect)
		}
	}
}

// wide encodes ASCII with size bytes for each letter, the last of which is the
// letter.
func wide(text string, size int) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteString(strings.Repeat("\x00", size-1) + string(r))
	}
	return b.String()
}

func TestSuspectText(t *testing.T) {
	for _, language := range []string{"ja", "zh", "ko", "ru", "pl", "el", "tr", "de", "he", "ar"} {
		assert.Equal(t, SuspectText(scripts[language]), "", "%s", language)
	}
	assert.Equal(t, SuspectText("La liste créée, agréée et suppléée par les Coréennes fut dénommée « maïeutique » ; l’œuvre déjà créée n’est pas recréée."), "", "accents beside each other")
	for name, text := range map[string]string{
		"UTF-8 as windows-1252":        "Das GehÃ¤use Ã¶ffnet sich fÃ¼r GÃ¤ste",
		"lost bytes":                   "Das Geh\ufffduse",
		"Cyrillic as Latin":            "Ïîðòîâîå óïðàâëåíèå ñåãîäíÿ óòðîì îïóáëèêîâàëî",
		"controls":                     "Das Geh\u0084use",
		"escapes":                      "Das \x1b$B9A$N;v\x1b(B",
		"Arabic words in English":      "The office says that " + strings.Repeat("the word ÇáãíäÇÁ is that of the harbour, which stands here in a sentence. ", 3),
		"windows-1251 as windows-1252": "×èñëî ïðèáûâøèõ ñóäîâ âûðîñëî",
	} {
		if SuspectText(text) == "" {
			t.Errorf("%s is not suspected", name)
		}
	}
}

// TestEncodingStatedAnywhereInTheHead reads declarations after the first 1024
// bytes of a page and in the forms that browsers accept.
func TestEncodingStatedAnywhereInTheHead(t *testing.T) {
	long := "<!-- " + strings.Repeat("filler of the head ", 80) + "-->"
	russian := "<title>Отчёт четыре</title>"
	for _, c := range []struct {
		name, before, want string
	}{
		{"pragma behind a comment", "<html><head>" + long + `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">`, "windows-1251"},
		{"charset behind a comment", "<html><head>" + long + "<meta charset=windows-1251>", "windows-1251"},
		{"behind a script that has one of another", "<html><head><script>" + strings.Repeat("var a = 1;", 200) + `"<meta charset=utf-8>"</script><meta charset="windows-1251">`, "windows-1251"},
		{"behind a style sheet", "<html><head><style>" + strings.Repeat("p { margin: 0 } ", 100) + `</style><META CHARSET=" Windows-1251 ">`, "windows-1251"},
		{"content before the pragma", "<html><head>" + long + `<meta content="text/html; charset=windows-1251" http-equiv=content-type>`, "windows-1251"},
		{"no media type", "<html><head>" + long + `<meta http-equiv="Content-Type" content="charset=windows-1251">`, "windows-1251"},
		{"no semicolon", "<html><head>" + long + `<meta http-equiv="Content-Type" content="text/html charset = windows-1251">`, "windows-1251"},
		{"a semicolon after it", "<html><head>" + long + `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251;">`, "windows-1251"},
		{"in quotes", "<html><head>" + long + `<meta http-equiv="Content-Type" content="text/html; charset='windows-1251'">`, "windows-1251"},
		{"an alias", "<html><head>" + long + `<meta charset=cp1251>`, "windows-1251"},
		{"a label that nobody knows before it", "<html><head>" + long + `<meta charset=cyrillic-x><meta charset=windows-1251>`, "windows-1251"},
		{"no tag of a head", long + `<meta charset=windows-1251>`, "windows-1251"},
		{"XML declaration", `<?xml version="1.0" encoding="windows-1251"?>` + "<html><head>" + long, "windows-1251"},
		{"a name for one who may type anything", "<html><head>" + long + `<meta name=charset content="text/html; charset=koi8-r"><meta charset=windows-1251>`, "windows-1251"},
	} {
		raw, err := charmap.Windows1251.NewEncoder().String(c.before + russian + "</head><body><p>" + scripts["ru"])
		must(t, err)
		d, err := Decode([]byte(raw), "text/html")
		if err != nil || d.Encoding != c.want || d.How != EncodingStated || !strings.Contains(d.Text, russian) || d.Suspect != "" {
			t.Errorf("%s: %s, %s, suspected: %q (%v)", c.name, d.Encoding, d.How, d.Suspect, err)
		}
	}
	for name, page := range map[string]string{
		"in the body":                         "<html><head>" + long + "<title>x</title></head><body><meta charset=koi8-r>",
		"in a body without the end of a head": "<html><head>" + long + "<title>x</title><body><meta charset=koi8-r>",
		"behind the end of a head":            "<html><head>" + long + "<title>x</title></head><meta charset=koi8-r>",
		"in an XML declaration further down":  "<html><head>" + long + `<?xml version="1.0" encoding="koi8-r"?>`,
		"in a comment":                        "<html><head>" + long + "<!-- <meta charset=koi8-r> -->",
		"in a title":                          "<html><head>" + long + "<title><meta charset=koi8-r></title>",
		"without a pragma":                    "<html><head>" + long + `<meta content="text/html; charset=koi8-r">`,
	} {
		if d, err := Decode([]byte(page+scripts["ru"]), "text/html"); err != nil || d.How != EncodingValid || d.Encoding != "utf-8" {
			t.Errorf("%s: %s, %s (%v)", name, d.Encoding, d.How, err)
		}
	}
	for _, stated := range []string{"windows-1251", "shift_jis", "gbk", "euc-kr"} {
		if d, _ := Decode([]byte("<html><head>"+long+"<meta charset="+stated+">"+russian+"<p>"+scripts["ru"]), "text/html"); d.Suspect == "" {
			t.Errorf("UTF-8 that is stated as %s is not suspected", stated)
		}
	}
}
