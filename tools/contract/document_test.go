// Package contract reads the OpenAPI description with a third-party library for
// any such document. It is a separate module, because the library is large and
// nothing else needs it.
package contract

import (
	"os"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
)

// TestDocumentIsOpenAPI validates the description that COLOPHON_OPENAPI names
// against the schema of OpenAPI 3.1, and resolves all of it.
func TestDocumentIsOpenAPI(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("COLOPHON_OPENAPI"))
	if err != nil {
		t.Fatalf("COLOPHON_OPENAPI names no description (make test-contract): %v", err)
	}
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	model, err := document.BuildV3Model()
	if err != nil {
		t.Fatal(err)
	}
	operations := 0
	for _, item := range model.Model.Paths.PathItems.FromOldest() {
		operations += item.GetOperations().Len()
	}
	if operations < 55 {
		t.Errorf("%d operations, want 55 or more", operations)
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	valid, faults := v.ValidateDocument()
	if valid {
		return
	}
	t.Error("the description is not OpenAPI 3.1")
	for _, e := range faults {
		t.Errorf("%s: %s", e.Message, e.Reason)
		for _, s := range e.SchemaValidationErrors {
			t.Errorf("  %s: %s", s.KeywordLocation, s.Reason)
		}
	}
}
