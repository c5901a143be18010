// Package sitefolder reads the folders from which Hugo, Jekyll, MkDocs and
// Docusaurus make sites, and plain folders of Markdown: which files have a page,
// at which address, and what their front matter says.
//
// A file that its generator would not publish is reported with the reason. Nothing
// outside a folder is read, wherever its configuration points; the file system
// that is given must not follow links that lead out (that of os.Root does not).
package sitefolder
