package provenance_test

import (
	"fmt"

	"colophon/internal/provenance"
)

func ExampleCanonicalText() {
	text, err := provenance.CanonicalText("\ufeffCafe\u0301\r\n\t noir ")
	fmt.Printf("%q %v\n", text, err)
	fmt.Println(provenance.PortableDigest([]byte(text)))
	_, err = provenance.CanonicalText("caf\xe9")
	fmt.Println(err)
	// Output:
	// "Café noir" <nil>
	// 940d84e514de656a0d094e1f2257f165256435d100116d8529779d51e2bc4717
	// text_ill_formed_unicode
}
