package originsql_test

import (
	"strings"
	"testing"
)

// columnsWithoutComment returns the columns of CREATE TABLE statements that
// have no comment on their purpose.
func columnsWithoutComment(sql string) []string {
	var bad []string
	inside := false
	for _, line := range strings.Split(sql, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "CREATE TABLE"):
			inside = true
		case strings.HasPrefix(trimmed, ")"):
			inside = false
		case inside && trimmed != "" && !strings.HasPrefix(trimmed, "PRIMARY KEY") && !strings.HasPrefix(trimmed, "UNIQUE") && !strings.Contains(trimmed, "-- "):
			bad = append(bad, trimmed)
		}
	}
	return bad
}

func TestColumnsWithoutCommentSeesOne(t *testing.T) {
	got := columnsWithoutComment("CREATE TABLE x (\n  a TEXT, -- named\n  b TEXT\n) STRICT;\n")
	if len(got) != 1 || got[0] != "b TEXT" {
		t.Fatalf("got %q", got)
	}
}
