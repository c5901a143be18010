package manifest

import (
	"encoding/json"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/wire"
)

// TestManifestsGrantNothing checks what every manifest says: its release and
// that it grants no rights.
func TestManifestsGrantNothing(t *testing.T) {
	head := Head{Release: "rel_1", GeneratedAt: "2026-11-01T12:00:00Z"}
	for name, m := range map[string]wire.Record{
		"discovery": &Discovery{Head: head}, "developer": &Developer{head}, "intent": &Intent{head}, "agent": &Agent{head}, "access response": &AccessResponse{Head: head}, "provenance": &Provenance{Head: head},
	} {
		var doc map[string]any
		if err := json.Unmarshal(wire.Append(nil, m), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if doc["grants_rights"] != false || doc["release"] != "rel_1" || doc["generated_at"] != "2026-11-01T12:00:00Z" || doc["version"] != exports.Version {
			t.Errorf("%s says grants_rights %v, release %v, generated_at %v, version %v", name, doc["grants_rights"], doc["release"], doc["generated_at"], doc["version"])
		}
		if texts, _ := doc["untrusted_text"].([]any); len(texts) != len(untrustedText) {
			t.Errorf("%s names %d members with texts of others, want %d", name, len(texts), len(untrustedText))
		}
	}
}

// TestOpenSurfaces checks that discovery lists each endpoint that needs no
// credential, and no other.
func TestOpenSurfaces(t *testing.T) {
	var doc struct {
		Surfaces []struct {
			ID, Auth string
			Static   bool
		}
		WellKnown []string `json:"well_known"`
	}
	if err := json.Unmarshal(wire.Append(nil, &Discovery{Head: Head{GeneratedAt: "2026-11-01T12:00:00Z"}}), &doc); err != nil {
		t.Fatal(err)
	}
	listed, wellKnown := map[string]bool{}, 0
	for _, s := range doc.Surfaces {
		listed[s.ID] = s.Static
		if s.Auth != string(exports.Open) {
			t.Errorf("%s needs %s", s.ID, s.Auth)
		}
	}
	for i := range exports.Surface {
		e := &exports.Surface[i]
		static, found := listed[e.ID]
		if found != (e.Auth == exports.Open) || static != (found && e.Made == exports.FromFile) {
			t.Errorf("%s, for whoever is %s: listed %v, as a file %v", e.ID, e.Auth, found, static)
		}
		if e.Auth == exports.Open && strings.HasPrefix(e.Path, "/.well-known/") {
			wellKnown++
		}
	}
	if len(doc.WellKnown) != wellKnown || wellKnown == 0 {
		t.Errorf("%d well-known paths are listed, want %d: %q", len(doc.WellKnown), wellKnown, doc.WellKnown)
	}
}

// TestEveryEndpointIsDescribed checks that the developer's manifest has every
// endpoint, and a schema where it takes a body.
func TestEveryEndpointIsDescribed(t *testing.T) {
	var doc struct {
		Endpoints []struct {
			ID         string
			BodySchema string `json:"body_schema"`
			Query      []struct{ Name string }
		}
	}
	if err := json.Unmarshal(wire.Append(nil, &Developer{Head{GeneratedAt: "2026-11-01T12:00:00Z"}}), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Endpoints) != len(exports.Surface) {
		t.Fatalf("%d endpoints, want %d", len(doc.Endpoints), len(exports.Surface))
	}
	for i := range exports.Surface {
		e, got := &exports.Surface[i], doc.Endpoints[i]
		schema := ""
		if e.Body != "" {
			schema = exports.PathOpenAPI + "#/components/schemas/" + e.Body
		}
		if got.ID != e.ID || got.BodySchema != schema || len(got.Query) != len(e.Query) {
			t.Errorf("%s is described as %+v", e.ID, got)
		}
	}
}
