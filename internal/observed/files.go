package observed

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"colophon/internal/origin"
)

// aboutThemselves are the channels whose documents speak of the address that
// they come with, and of no other.
var aboutThemselves = []string{"html_meta", "aipref_header", "cawg"}

// ReadLocal reads a document, or a folder that stands for the root of a site,
// as if it had been found at a site without a final slash in its address. It
// returns the documents and the address that they are about.
func ReadLocal(path, site, at string) (seen []origin.Observation, resource string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", err
	}
	if info.IsDir() {
		seen, err = readFolder(path, site, at)
		return seen, site + "/", err
	}
	url := site + "/" + strings.TrimSuffix(filepath.Base(path), "index.html")
	seen, err = readFile(path, url, at)
	if len(seen) == 1 && slices.Contains(aboutThemselves, seen[0].Channel) {
		return seen, url, err
	}
	return seen, site + "/", err
}

// readFolder reads the documents of a site's root, and the pages of its first
// level.
func readFolder(dir, site, at string) ([]origin.Observation, error) {
	var seen []origin.Observation
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel != "." && rel != ".well-known" && rel != "policies" {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		o, err := readFile(path, site+"/"+strings.TrimSuffix(rel, "index.html"), at)
		seen = append(seen, o...)
		return err
	})
	return seen, err
}

// maxFile bounds how many bytes of one file are read.
const maxFile = 512 << 10

// readFile returns the document in a file, none if it states no rights.
func readFile(path, url, at string) ([]origin.Observation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	o, known := File(path, url, at, body)
	if !known {
		return nil, nil
	}
	return []origin.Observation{o}, nil
}
