// Package intake brings a site's own pages into the origin store: the command
// "colophon import <source> --site SITE_ID".
//
// A source lists pages: a sitemap (or an index of them, gzip or not), an RSS,
// Atom or JSON feed, one page, or NDJSON that includes the texts. Pages are
// fetched politely (robots.txt, few concurrent requests for each host,
// conditional requests), their main text and facts are extracted, and each page
// is committed as it arrives, in the order of the source. What the site itself
// says about rights is stored raw and dated for other packages to read.
//
// # Order and restarts
//
// Fetching and extraction run ahead by a small window; committing is serial and
// in source order, so that the first of two pages with one canonical address
// always wins. A page is written body first, then its row, then the memory of
// its fetch. An import that was killed and is started again with the same
// source continues the same run: it does not fetch again what the run had
// settled, and writes what was being written again, with the same result.
//
// # What is never done
//
// An address that is not public is refused when it is dialled, after name
// resolution, wherever it came from. No document is read beyond its limit. A
// page that fails is counted with a reason and does not stop the others.
package intake
