package urlkey_test

import (
	"fmt"

	"colophon/internal/urlkey"
)

func ExampleURLKey() {
	canonical, _ := urlkey.URLKey("HTTPS://News.Example.COM:443/a/./b/../caf%c3%a9?#top")
	fmt.Println(canonical)
	fmt.Println(urlkey.URLKeyHex(canonical)[:12])
	fmt.Println(urlkey.EntryID("news", canonical)[:16])
	_, err := urlkey.URLKey("https://news.example.com@evil.example/")
	fmt.Println(err)
	// Output:
	// https://news.example.com/a/caf%C3%A9
	// 28779cd9b9de
	// ent_28779cd9b9de
	// url_userinfo
}
