package sitefolder

import "testing"

// TestWithoutDirectives follows the generators' manuals.
func TestWithoutDirectives(t *testing.T) {
	for _, c := range []struct{ name, generator, text, want string }{
		{"shortcode", "hugo", "a {{< ref \"x\" >}} b {{% note %}} c", "a  b  c"},
		{"shortcode over lines", "hugo", "a\n{{< img src=\"x\"\n  alt=\"y\"\n>}}\nb", "a\n\nb"},
		{"shortcode that is not closed", "hugo", "a {{< b\n\nc {{< d >}}", "a {{< b\n\nc "},
		{"shortcode that is shown", "hugo", "`{{</* ref x */>}}`", "`{{< ref x >}}`"},
		{"shortcode that is shown in a block of code", "hugo", "```\n{{%/* note */%}}\n```", "```\n{{% note %}}\n```"},
		{"code of a template is no shortcode", "hugo", "call `{{ .Title }}` and {{ .Date }}", "call `{{ .Title }}` and {{ .Date }}"},
		{"tags of Liquid", "jekyll", "a {% include x.html %} b {{ page.title }} `{{ x }}`", "a  b  ``"},
		{"no Liquid", "docusaurus", "a `{% x %}` {{ y }}", "a `{% x %}` {{ y }}"},
		{"unknown generator", "folder", "a {% x %} {{< y >}} `{{ z }}` `{{< z >}}`", "a   `{{ z }}` `{{< z >}}`"},
		{"import of MDX", "docusaurus", "import Tabs from '@theme/Tabs';\n\na\n:::tip\nb\n:::", "\na\nb"},
		{"import in a block of code", "docusaurus", "```js\nimport a from 'b'\n```", "```js\nimport a from 'b'\n```"},
		{"block of code within another", "folder", "````\n```\n{{< a >}}\n```\n````\n{{< b >}}", "````\n```\n{{< a >}}\n```\n````\n"},
		{"alert", "hugo", "> [!NOTE]\n> Mind the tide.", "> \n> Mind the tide."},
		{"alert with a title", "folder", "> [!tip]- High water\n> Mind it.", "> High water\n> Mind it."},
		{"link in a quote", "folder", "> [a] b", "> [a] b"},
		{"snippet", "mkdocs", "a\n--8<-- \"b.md\"", "a"},
		{"admonition", "mkdocs", "a\n\n!!! note \"High water\"\n    Mind it.\n\n    - one\n\nb", "a\n\nHigh water\n\nMind it.\n\n- one\n\nb"},
		{"admonition without a title", "mkdocs", "!!! warning\n    Mind it.", "\n\nMind it."},
		{"fold with code within a tab", "mkdocs", "=== \"Go\"\n    ??? info\n        ```\n        x\n        ```", "Go\n\n\n\n```\nx\n```"},
		{"admonition in a block of code", "mkdocs", "```\n!!! note\n    x\n```", "```\n!!! note\n    x\n```"},
		{"underlined heading", "mkdocs", "Tides\n===\n\n    code", "Tides\n===\n\n    code"},
		{"what a plugin fills in", "mkdocs", "a\n\n::: harbor.cli\n    :module: x\n\nb", "a\n\nb"},
		{"attributes of kramdown", "jekyll", "# Tides\n{: .no_toc }\n\nNew\n{: .label .label-green }\na *b*{:.c} `{: .d}`", "# Tides\n\n\nNew\n\na *b* `{: .d}`"},
		{"table of contents of kramdown", "jekyll", "# A\n\n1. TOC\n{:toc}\n\nb", "# A\n\n\n\nb"},
		{"extensions of kramdown", "jekyll", "{::nomarkdown}a{:/nomarkdown} {::comment}{:/}b", "a b"},
		{"braces that are text", "jekyll", "a {b} { : c}", "a {b} { : c}"},
		{"attributes of MkDocs", "mkdocs", "[a](b){: .button }", "[a](b)"},
		{"name of a heading", "docusaurus", "## Tides {#tides}\n\na {#b}", "## Tides\n\na {#b}"},
		{"components of MDX", "docusaurus", "<Tabs>\n<Tab.Item value=\"a\">b <Links.C /></Tab.Item>\n</Tabs> {/* c */} `<D />` a < B > c <div>e</div>", "\nb \n  `<D />` a < B > c <div>e</div>"},
		{"exclamation marks elsewhere", "folder", "!!! note\n    x", "!!! note\n    x"},
	} {
		if got := withoutDirectives(c.text, c.generator); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
