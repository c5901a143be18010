package generator

import (
	"embed"
	"io/fs"
	"strings"

	"colophon/exports"
)

// sandboxFiles are the files of a small catalog of two invented publishers that
// the handlers read, as a build wrote them. TestSandbox updates them.
//
//go:generate go test -run ^TestSandbox$ -update .
//go:embed all:sandbox
var sandboxFiles embed.FS

// publishSandbox publishes the invented catalog below exports.SandboxPrefix,
// where the sandbox runs the real handlers on it. It is the same in each
// release.
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
