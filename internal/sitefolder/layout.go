package sitefolder

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"colophon/internal/extract"
	"colophon/internal/frontmatter"
)

// layout is how a site generator arranges files and addresses.
type layout struct {
	name  string
	roots []contentRoot
	// at is the address of a file, below the base.
	at func(name string, m frontmatter.Fields) string
	// language is the language that the generator gives a file, "" for none;
	// may be nil.
	language func(name string) string
	// defaults adds what the generator sets for a file that does not state it;
	// may be nil.
	defaults func(root, rel string, m frontmatter.Fields) frontmatter.Fields
	// hidden reports folders of the generator's own that hold no pages.
	hidden func(rel string) bool
	// enter is called with each folder before its files, and reports whether
	// the generator writes none of the pages below it. It returns a problem if
	// that cannot be known: they stay out then. It may be nil.
	enter func(dir string) (hidden bool, p *Problem)
	// unrendered reports whether the generator makes no page from a file; may
	// be nil.
	unrendered func(rel string, m frontmatter.Fields) bool
	// draft reports files that the generator keeps as drafts by their names.
	draft     func(rel string) bool
	publishes publicationRules
}

// contentRoot is a folder of pages.
type contentRoot struct {
	dir      string // in the folder that is imported
	prefix   string // what their addresses begin with
	language string // that they are in, "" if not known
}

// notPages are folders of generators and programs, not of pages.
var notPages = []string{"node_modules", "vendor", "themes", "archetypes", "_site", "_includes", "_layouts", "_drafts", "public", "build"}

func (l *layout) skips(rel, name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains(notPages, name) || l.hidden != nil && l.hidden(rel)
}

// address returns the address of a file's page: from its front matter, or else
// from its name by the generator's rules.
func (l *layout) address(rel string, m frontmatter.Fields, root contentRoot) string {
	if at := m.Text("url", "permalink"); at != "" && (extract.IsWeb(at) || !strings.Contains(at, ":")) {
		return at
	}
	return root.prefix + strings.TrimPrefix(l.at(rel, m), "/")
}

// languageOf returns the language that a file is in: what its front matter
// says, else what the generator says.
func (l *layout) languageOf(rel string, stated string, root contentRoot) string {
	said := root.language
	if l.language != nil {
		said = cmp.Or(l.language(rel), said)
	}
	return cmp.Or(stated, extract.LanguageTag(said))
}

// layouts are recognised by a file of the generator. read returns nil if the
// folder of pages is missing.
var layouts = []struct {
	marks []string
	read  func(files fs.FS, c frontmatter.Fields) (*layout, error)
}{
	{[]string{"docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"}, docusaurusLayout},
	{[]string{"mkdocs.yml", "mkdocs.yaml"}, mkdocsLayout},
	{[]string{"_config.yml", "_config.yaml", "_config.toml"}, jekyllLayout},
	{[]string{"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json"}, hugoLayout},
}

// layoutOf returns the layout of a folder. It returns an error if the
// configuration file of a generator cannot be read, or names a folder outside.
func layoutOf(files fs.FS) (*layout, error) {
	for _, l := range layouts {
		for _, mark := range l.marks {
			if _, err := fs.Stat(files, mark); errors.Is(err, fs.ErrNotExist) {
				continue
			}
			c, err := readConfig(files, mark)
			if err != nil {
				return nil, err
			}
			plan, err := l.read(files, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", mark, err)
			}
			if plan != nil {
				return plan, nil
			}
		}
	}
	return &layout{name: "folder", roots: []contentRoot{{dir: "."}}, at: folderAddress}, nil
}

// contentFolder returns the path of a folder that a configuration file names,
// "" if there is none.
func contentFolder(files fs.FS, name string) (string, error) {
	dir := path.Clean(strings.TrimLeft(filepath.ToSlash(name), "/"))
	if !fs.ValidPath(dir) {
		return "", fmt.Errorf("it names the folder %q, which is outside of the one that is imported", name)
	}
	info, err := fs.Stat(files, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("the folder %q cannot be read: %w", name, err)
	case !info.IsDir():
		return "", nil
	}
	return dir, nil
}

// maxConfig is how many bytes of a configuration file are read.
const maxConfig = 1 << 20

// readConfig reads YAML, TOML or JSON; of other files only that they are there.
func readConfig(files fs.FS, name string) (frontmatter.Fields, error) {
	file, p := ReadFile(files, name, maxConfig)
	if p != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, p)
	}
	raw := map[string]any{}
	var err error
	switch path.Ext(name) {
	case ".yml", ".yaml":
		err = yaml.Unmarshal(file, &raw)
	case ".toml":
		err = toml.Unmarshal(file, &raw)
	case ".json":
		err = json.Unmarshal(file, &raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	return frontmatter.Fold(raw), nil
}

// folderAddress is that of a folder for each page.
func folderAddress(name string, m frontmatter.Fields) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	dir, file := path.Split(stem)
	if slug := m.Text("slug"); slug != "" {
		return dir + slug + "/"
	}
	switch strings.ToLower(file) {
	case "index", "_index", "readme":
		return dir
	}
	return stem + "/"
}

// mkdocsLayout returns a layout with a folder for each page, unless the site
// says otherwise.
func mkdocsLayout(files fs.FS, c frontmatter.Fields) (*layout, error) {
	root, err := contentFolder(files, cmp.Or(c.Text("docs_dir"), "docs"))
	if root == "" || err != nil {
		return nil, err
	}
	at := func(name string, _ frontmatter.Fields) string { return folderAddress(name, nil) }
	if c.Text("use_directory_urls") == "false" {
		at = func(name string, _ frontmatter.Fields) string {
			folder := folderAddress(name, nil)
			if stem := strings.TrimSuffix(folder, "/"); folder != "" && strings.EqualFold(path.Base(stem), strings.TrimSuffix(path.Base(name), path.Ext(name))) {
				return stem + ".html"
			}
			return folder
		}
	}
	language := cmp.Or(c.Object("theme").Text("language", "locale"), c.Object("extra").Text("language"))
	excluded, drafts := readIgnoreRules(c.Block("exclude_docs")), readIgnoreRules(c.Block("draft_docs"))
	return &layout{
		name: "mkdocs", roots: []contentRoot{{dir: root, language: language}}, at: at,
		unrendered: func(rel string, _ frontmatter.Fields) bool { return excluded.match(rel) }, draft: drafts.match,
		publishes: publicationRules{publishDate: noDate},
	}, nil
}
