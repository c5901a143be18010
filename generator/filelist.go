package generator

import (
	"os"

	"colophon/generator/target"
)

// PackedFiles returns the names of a build's files that are in packs, below a
// folder that ends in "/". It returns none if the build has no packs, or if
// there is no build.
func PackedFiles(dir, folder string) ([]string, error) {
	files, err := target.ReadFiles(os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files.Below(folder) {
		if files.InPacks(f.Name) {
			names = append(names, f.Name)
		}
	}
	return names, nil
}
