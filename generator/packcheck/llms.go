package packcheck

import (
	"errors"
	"strings"

	"colophon/exports"
)

// readLLMs reads the section for llms.txt: the part with the longest prefix of
// the path counts.
func readLLMs(body []byte, path string) (levels, error) {
	var out levels
	found, lines := -1, []string(nil)
	for _, part := range strings.Split(string(body), "\n### Pages below ")[1:] {
		prefix, rest, ok := strings.Cut(part, "\n")
		if !ok {
			return out, errors.New("a part without lines")
		}
		if strings.HasPrefix(path, prefix) && len(prefix) > found {
			found, lines = len(prefix), strings.Split(rest, "\n")
		}
	}
	for _, line := range lines {
		word, stated, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		if !ok {
			continue
		}
		for i, u := range exports.Uses {
			if string(u) == word {
				out.raiseUses(llmsLevel(u, stated), i)
			}
		}
	}
	return out, nil
}

func llmsLevel(use exports.Use, stated string) level {
	conditions, limited := strings.CutPrefix(stated, "allowed on conditions: ")
	switch {
	case limited:
		return onConditions(use, strings.Split(conditions, ", "))
	case stated == "allowed":
		return free
	case stated == "licence needed", stated == "reserved, ask first":
		return asking
	}
	return none
}
