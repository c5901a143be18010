package main

import (
	"os"
	"strings"
	"testing"
)

// TestOpenRegistryIsTold checks that what is noticed about a registry's folder
// is told on the standard error: here that others could read it.
func TestOpenRegistryIsTold(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	if _, _, errs := o.run("inquiry", "list"); errs != "" {
		t.Errorf("a private registry: %q", errs)
	}
	must(t, os.Chmod(o.dir, 0o755))
	if _, out, errs := o.run("inquiry", "list"); !strings.Contains(errs, o.dir+" could be read by others: mode 0755 is now 0700\n") || strings.Contains(out, "mode") {
		t.Errorf("an open one: %q, beside %q", errs, out)
	}
}
