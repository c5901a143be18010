// Package extract takes the main text and the facts out of web pages.
//
// The text of a page is a function of two things: the page and the template
// of its site. Nothing else decides, neither the order in which pages come nor
// what other pages are imported with it. These rules apply in turn:
//
//  1. selectors that the operator set for the site;
//  2. the element that the page itself states as its content: main, role=main,
//     article, itemprop=articleBody, or the articleBody of its JSON-LD;
//  3. the body, less what the page marks as navigation or hides;
//  4. less the places that the site's template marks as boilerplate.
//
// A template is learned from a sample of pages by [Learner] and is frozen from
// then on: see [Template]. Nothing here falls back to the whole page when a
// template leaves little of it; the [Result] says so, and the page goes to
// review.
//
// The package knows no network and no store.
package extract
