package generator

import (
	"os"

	"colophon/generator/target"
)

// PackedFiles names the files of a build that stand in packs, below a folder that
// ends in "/". There are none where the build is in files, or where there is none.
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
