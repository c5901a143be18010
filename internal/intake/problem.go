package intake

import (
	"errors"
	"fmt"

	"colophon/internal/extract"
)

// problem says why one page or document did not come in. Its code is stable.
type problem struct {
	code   string
	detail string // may be shown to anyone
	system string // what this machine or its network said, for its operator; may be ""
	skip   bool   // not an error: the page is skipped

	unpublished bool // the source itself says that the page is not public
}

func (p *problem) Error() string {
	if p.detail == "" {
		return p.code
	}
	return p.code + ": " + p.forOperator()
}

// forOperator returns the detail with what the system said.
func (p *problem) forOperator() string {
	if p.system == "" {
		return p.detail
	}
	return p.detail + " (" + p.system + ")"
}

// PlainWords returns an error of a look at a site as a sentence for people,
// without any detail of the machine that looked. For other errors it only says
// that the look failed.
func PlainWords(err error) string {
	var p *problem
	if errors.As(err, &p) && p.detail != "" {
		return p.detail
	}
	return "the look failed"
}

func failedProblem(code, format string, args ...any) *problem {
	return &problem{code: code, detail: clipText(fmt.Sprintf(format, args...), 300)}
}

func skippedProblem(code, format string, args ...any) *problem {
	p := failedProblem(code, format, args...)
	p.skip = true
	return p
}

// unpublishedProblem returns the problem of a page that its source says is not
// public, which is skipped.
func unpublishedProblem(code, format string, args ...any) *problem {
	p := skippedProblem(code, format, args...)
	p.unpublished = true
	return p
}

func usageError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUsage, fmt.Sprintf(format, args...))
}

// recoverPanic runs a third-party parser, so that a panic in it fails one
// document and not the import.
func recoverPanic(what string, run func() *problem) (p *problem) {
	defer func() {
		if r := recover(); r != nil {
			p = failedProblem("parser_failed", "the %s broke on it: %v", what, r)
		}
	}()
	return run()
}

// clipText shortens s to about n bytes, and shows that it did.
func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return extract.CutText(s, n) + "…"
}
