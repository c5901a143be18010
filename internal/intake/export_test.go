package intake

import (
	"context"
	"net/url"
)

// SetSampleSize lets tests learn templates from fewer pages.
func SetSampleSize(n int) { sampleSize = n }

// Kinds lists the kinds of sources.
func Kinds() []string {
	var list []string
	for k := range readers {
		list = append(list, string(k))
	}
	return list
}

// Listed is one thing that a source lists.
type Listed struct {
	Where, URL, Code, Detail string
	Text, Published          string
	Busy                     bool // the source still keeps its host from other requests
}

// KindOf returns the kind of a file or folder.
func KindOf(name string) string {
	d, err := openFile(name)
	if err != nil {
		return err.Error()
	}
	defer d.Close()
	return string(d.kind)
}

// List lists a source by its reader, without a store, and reports whether that
// lists all pages of a site.
func List(ctx context.Context, opt Options, each func(Listed) error) (listsAll bool, err error) {
	opt.SiteID = "listed"
	opt, err = opt.withDefaults()
	if err != nil {
		return false, err
	}
	l := &lister{opt: opt, fetch: newFetcher(opt), known: func(context.Context, *url.URL) bool { return false }}
	defer l.fetch.close()
	err = l.listSource(ctx, func(r ref) error {
		one := Listed{Where: r.where, Published: r.hint.published}
		if r.url != nil {
			one.URL = r.url.String()
		}
		if r.supplied != nil {
			one.URL, one.Text, one.Published = r.supplied.url.String(), r.supplied.body, r.supplied.facts.published
		}
		if r.answer != nil && r.problem == nil {
			one.Text = string(r.answer.body)
		}
		if r.problem != nil {
			one.Code, one.Detail = r.problem.code, r.problem.detail
		}
		for _, lane := range l.fetch.gate.lanes {
			one.Busy = one.Busy || len(lane.slots) > 0
		}
		return each(one)
	})
	return l.listsAll, err
}
