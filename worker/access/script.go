//go:build !wasm

package access

import (
	"strings"

	"colophon/exports"
)

// ProductTokens returns the product tokens that a guard knows.
func ProductTokens() []string {
	var out []string
	eachAgent(func(token, _ string) bool {
		out = append(out, token)
		return true
	})
	return out
}

// Script returns the module agents.mjs of the worker's guard. It holds what a
// script needs to pass on, without starting Wasm, a request that Guard lets
// through under any policy.
func Script() string {
	var tokens, free []string
	eachAgent(func(token, class string) bool {
		if _, watched := (&Agent{Class: class}).Use(); watched {
			tokens = append(tokens, token)
		}
		return true
	})
	for _, p := range exports.FreePaths {
		end := "$"
		if open, ok := strings.CutSuffix(p, "*"); ok {
			p, end = open, ""
		}
		free = append(free, strings.NewReplacer("/", `\/`, ".", `\.`, "*", ".*").Replace(p)+end)
	}
	return `// Made from worker/access by "go test ./worker/edgejs -run TestGuardScript -update".

// Product tokens of agents that a policy may deny, as whole words.
const agents = /(?<![a-z0-9_-])(?:` + strings.Join(tokens, "|") + `)(?![a-z0-9_-])/i;

// Paths that are never denied. Dots and escapes are not resolved: a path that
// has any is not free.
const free = /^(?:` + strings.Join(free, "|") + `)/;
const unclear = /[%\\]|\/\.\.?(?:\/|$)|\/\//;

export const isFree = (path) => free.test(path) && !unclear.test(path);

// Browsers repeat their User-Agent, so what was found is kept, up to a bound.
const known = new Map();

// isAgent knows by User-Agent an agent that a policy may deny.
export function isAgent(userAgent) {
  if (!userAgent) return false;
  let found = known.get(userAgent);
  if (found === undefined) {
    if (known.size >= 512) known.clear();
    known.set(userAgent, found = agents.test(userAgent));
  }
  return found;
}
`
}
