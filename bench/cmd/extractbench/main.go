// Command extractbench measures the extraction of main text and facts from
// pages of documentation packages, beside Mozilla's Readability and
// Trafilatura.
//
//	extractbench -root DIR -mark      choose the pages of gold.tsv again
//	extractbench -root DIR            measure the pages of gold.tsv
//	extractbench -web MODULE          measure single pages of the web
//
// DIR holds the unpacked packages, one folder each; see fetch.sh. MODULE is the
// folder of Trafilatura's Go module, which includes pages of the web with
// passages that belong to their texts and passages that do not.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", "", "folder of the unpacked packages")
	flag.StringVar(&o.sites, "sites", "sites.tsv", "list of sites")
	flag.StringVar(&o.gold, "gold", "gold.tsv", "list of pages")
	flag.BoolVar(&o.mark, "mark", false, "choose the pages again and write the list")
	flag.StringVar(&o.half, "half", "", "only this half: tune or test")
	flag.StringVar(&o.only, "site", "", "only this site, with its worst pages")
	flag.BoolVar(&o.alone, "alone", false, "without Readability and Trafilatura")
	flag.BoolVar(&o.whole, "whole", false, "check whole sites: digests and headings")
	flag.StringVar(&o.web, "web", "", "folder of the module of Trafilatura: measure its pages")
	flag.BoolVar(&o.details, "details", false, "with -web: print what differs")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "extractbench:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	if o.web != "" {
		return measureWeb(o)
	}
	sites, err := readSites(o.sites)
	if err != nil {
		return err
	}
	switch {
	case o.mark:
		return markPages(o, sites)
	case o.whole:
		return checkWholeSites(o, sites)
	}
	return measure(o, sites)
}

type options struct {
	root, sites, gold, half, only, web string
	mark, alone, whole, details        bool
}
