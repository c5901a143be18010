package intake

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
)

// layout is how a site generator arranges files and addresses.
type layout struct {
	name  string
	roots []contentRoot
	// at is the address of a file, below the base.
	at func(name string, m frontMatter) string
	// language is the language that the generator gives a file, "" for none;
	// may be nil.
	language func(name string) string
	// defaults adds what the generator sets for a file that does not state it;
	// may be nil.
	defaults func(root, rel string, m frontMatter) frontMatter
	// hidden reports folders of the generator's own that hold no pages.
	hidden func(rel string) bool
	// enter is called with each folder before its files, and reports whether
	// the generator writes none of the pages below it. It returns a problem if
	// that cannot be known: they stay out then. It may be nil.
	enter func(dir string) (hidden bool, p *problem)
	// unrendered reports whether the generator makes no page from a file; may
	// be nil.
	unrendered func(rel string, m frontMatter) bool
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
func (l *layout) address(rel string, m frontMatter, root contentRoot) string {
	if at := m.textField("url", "permalink"); at != "" && (isWeb(at) || !strings.Contains(at, ":")) {
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
	return cmp.Or(stated, languageTag(said))
}

// layouts are recognised by a file of the generator. read returns nil if the
// folder of pages is missing.
var layouts = []struct {
	marks []string
	read  func(files fs.FS, c config) (*layout, error)
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

// config is the file of a generator; it reads as front matter does.
type config = frontMatter

// maxConfig is how many bytes of a configuration file are read.
const maxConfig = 1 << 20

// readConfig reads YAML, TOML or JSON; of other files only that they are there.
func readConfig(files fs.FS, name string) (config, error) {
	file, p := readWithin(files, name, maxConfig)
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
	return foldNames(raw), nil
}

// foldNames writes the names of a document small.
func foldNames(raw map[string]any) frontMatter {
	m := frontMatter{}
	for name, value := range raw {
		m[strings.ToLower(name)] = value
	}
	return m
}

// at returns the object under names that lie within each other, nil for none.
func (m frontMatter) at(names ...string) frontMatter {
	for _, name := range names {
		inner, ok := m[name].(map[string]any)
		if !ok {
			return nil
		}
		m = foldNames(inner)
	}
	return m
}

// objects returns the objects of a list.
func (m frontMatter) objects(name string) []frontMatter {
	var list []frontMatter
	items, _ := m[name].([]any)
	for _, item := range items {
		if o, ok := item.(map[string]any); ok {
			list = append(list, foldNames(o))
		}
	}
	return list
}

// textBlock returns a text with its lines.
func (m frontMatter) textBlock(name string) string {
	text, _ := m[name].(string)
	return text
}

// folderAddress is that of a folder for each page.
func folderAddress(name string, m frontMatter) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	dir, file := path.Split(stem)
	if slug := m.textField("slug"); slug != "" {
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
func mkdocsLayout(files fs.FS, c config) (*layout, error) {
	root, err := contentFolder(files, cmp.Or(c.textField("docs_dir"), "docs"))
	if root == "" || err != nil {
		return nil, err
	}
	at := func(name string, _ frontMatter) string { return folderAddress(name, nil) }
	if c.textField("use_directory_urls") == "false" {
		at = func(name string, _ frontMatter) string {
			folder := folderAddress(name, nil)
			if stem := strings.TrimSuffix(folder, "/"); folder != "" && strings.EqualFold(path.Base(stem), strings.TrimSuffix(path.Base(name), path.Ext(name))) {
				return stem + ".html"
			}
			return folder
		}
	}
	language := cmp.Or(c.at("theme").textField("language", "locale"), c.at("extra").textField("language"))
	excluded, drafts := readIgnoreRules(c.textBlock("exclude_docs")), readIgnoreRules(c.textBlock("draft_docs"))
	return &layout{
		name: "mkdocs", roots: []contentRoot{{dir: root, language: language}}, at: at,
		unrendered: func(rel string, _ frontMatter) bool { return excluded.match(rel) }, draft: drafts.match,
		publishes: publicationRules{publishDate: noDate},
	}, nil
}
