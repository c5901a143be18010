package intake

import (
	"errors"
	"fmt"
)

// problem says why one page or document did not come in. Its code is stable.
type problem struct {
	code   string
	detail string // for anybody
	system string // what this machine or its network said, for whoever runs it, "" nothing
	skip   bool   // nothing went wrong: the page is not for us

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

// PlainWords turns an error of a look at a site into a sentence for people, without
// any detail of the machine that looked. Of other errors it only says that the look
// failed.
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

// unpublishedProblem skips a page of which its source says that it is not public.
func unpublishedProblem(code, format string, args ...any) *problem {
	p := skippedProblem(code, format, args...)
	p.unpublished = true
	return p
}

func usageError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUsage, fmt.Sprintf(format, args...))
}

// recoverPanic runs a parser of somebody else's: what makes it panic fails one
// document, not the import.
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
	return cutText(s, n) + "…"
}

// cutText shortens s to at most n bytes, on a character boundary.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
