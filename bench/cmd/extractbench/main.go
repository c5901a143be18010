// Command extractbench measures the extraction of main text and facts on pages of
// documentation packages, beside Mozilla's Readability and Trafilatura.
//
//	extractbench -root DIR -mark      choose the pages of gold.tsv anew
//	extractbench -root DIR            measure the pages of gold.tsv
//
// DIR holds the unpacked packages, one folder each; see fetch.sh.
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
	flag.BoolVar(&o.mark, "mark", false, "choose the pages anew and write the list")
	flag.StringVar(&o.half, "half", "", "only this half: tune or test")
	flag.StringVar(&o.only, "site", "", "only this site, with its worst pages")
	flag.BoolVar(&o.alone, "alone", false, "without Readability and Trafilatura")
	flag.BoolVar(&o.whole, "whole", false, "check whole sites: digests and headings")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "extractbench:", err)
		os.Exit(1)
	}
}

func run(o options) error {
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
	root, sites, gold, half, only string
	mark, alone, whole            bool
}
