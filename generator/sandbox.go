package generator

import (
	"embed"
	"io/fs"
	"strings"

	"colophon/exports"
)

// sandboxFiles are the files of a small catalog of two invented publishers, as a
// build wrote them: what the handlers read of a release. TestSandbox makes them again.
//
//go:generate go test -run ^TestSandbox$ -update .
//go:embed all:sandbox
var sandboxFiles embed.FS

// publishSandbox publishes that catalog below exports.SandboxPrefix, where the
// sandbox runs the real handlers on it. It is the same in each release.
func (b *build) publishSandbox() error {
	return fs.WalkDir(sandboxFiles, "sandbox", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := sandboxFiles.ReadFile(path)
		if err != nil {
			return err
		}
		return b.out.writeFile(exports.SandboxPrefix+strings.TrimPrefix(path, "sandbox/"), data)
	})
}
