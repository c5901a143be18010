package canonicaltext_test

import (
	"fmt"

	"colophon/internal/canonicaltext"
)

func ExampleCanonicalText() {
	text, err := canonicaltext.CanonicalText("\ufeffCafe\u0301\r\n\t noir ")
	fmt.Printf("%q %v\n", text, err)
	fmt.Println(canonicaltext.PortableDigest([]byte(text)))
	_, err = canonicaltext.CanonicalText("caf\xe9")
	fmt.Println(err)
	// Output:
	// "Café noir" <nil>
	// 940d84e514de656a0d094e1f2257f165256435d100116d8529779d51e2bc4717
	// text_ill_formed_unicode
}
