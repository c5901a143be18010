package samplestest

import "colophon/exports"

var Sample = exports.Publisher{PublisherID: "x"}
