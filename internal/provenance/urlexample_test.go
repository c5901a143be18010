package provenance_test

import (
	"fmt"

	"colophon/internal/provenance"
)

func ExampleURLKey() {
	canonical, _ := provenance.URLKey("HTTPS://News.Example.COM:443/a/./b/../caf%c3%a9?#top")
	fmt.Println(canonical)
	fmt.Println(provenance.URLKeyHex(canonical)[:12])
	fmt.Println(provenance.EntryID("news", canonical)[:16])
	_, err := provenance.URLKey("https://news.example.com@evil.example/")
	fmt.Println(err)
	// Output:
	// https://news.example.com/a/caf%C3%A9
	// 28779cd9b9de
	// ent_28779cd9b9de
	// url_userinfo
}
