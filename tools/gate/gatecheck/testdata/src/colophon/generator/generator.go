package generator

import "colophon/exports"

var kept = map[string]exports.Source{"x": {URL: "x"}} // want `fills exports.Source`
