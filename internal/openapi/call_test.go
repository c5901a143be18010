package openapi

import (
	"encoding/json"
	"strings"
	"testing"

	"colophon/exports"
)

// TestEveryEndpointShowsACall checks that the reference has a recorded answer
// for each endpoint, and a call for a shell.
func TestEveryEndpointShowsACall(t *testing.T) {
	for i := range exports.Surface {
		e := &exports.Surface[i]
		c, ok := CallOf(e)
		if !ok {
			t.Errorf("%s has no recorded call", e.ID)
			continue
		}
		if c.Answer == "" || strings.Count(c.Answer, "\n") > maxLines {
			t.Errorf("%s: the answer has %d lines", e.ID, strings.Count(c.Answer, "\n"))
		}
		if strings.HasPrefix(c.Answer, "{") && !c.Cut && !json.Valid([]byte(c.Answer)) {
			t.Errorf("%s: the answer is whole and no JSON: %s", e.ID, c.Answer)
		}
		curl := Curl(e, "https://registry.example"+e.Path, &c)
		if (e.Method == "POST") != (strings.Contains(curl, " -d '") || strings.Contains(curl, "-X POST")) {
			t.Errorf("%s is a %s: %s", e.ID, e.Method, curl)
		}
		if (e.Auth == exports.Open) == strings.Contains(curl, "$") && e.ID != "mcp" {
			t.Errorf("%s: %s", e.ID, curl)
		}
	}
}

// TestShowAnswer checks that lists are shown by their first item, and that the
// answer is marked as shortened.
func TestShowAnswer(t *testing.T) {
	e, _, _ := exports.Find("GET", exports.PathSearch)
	c, _ := CallOf(e)
	var v struct {
		Data []struct{ Links map[string]any }
	}
	if err := json.Unmarshal([]byte(strings.Split(c.Answer, "\n…")[0]), &v); err == nil && len(v.Data) > 1 {
		t.Errorf("%d items are shown", len(v.Data))
	}
	long := strings.Repeat("line\n", 100)
	if text, cut := cutLines(long); !cut || strings.Count(text, "\n") != maxLines || !strings.HasSuffix(text, "… 64 more lines") {
		t.Errorf("%v, %q", cut, text)
	}
	if text, cut := cutLines("one\ntwo\n"); cut || text != "one\ntwo" {
		t.Errorf("%v, %q", cut, text)
	}
}
