package templates

import "colophon/exports"

// Words that the worker's pages use too.
var (
	eventWord     = exports.EventWord
	useName       = exports.UseName
	useMeaning    = exports.UseMeaning
	letterWord    = exports.LetterWord
	letterAt      = exports.LetterAt
	plain         = exports.PlainWord
	plains        = exports.PlainWords
	useNames      = exports.UseNames
	channelName   = exports.ChannelName
	scopePaths    = exports.ScopePaths
	territories   = exports.TerritoryWords
	price         = exports.PriceWords
	obligations   = exports.ObligationWords
	conflictWords = exports.ConflictWords
	count         = exports.Count
	counted       = exports.Counted
)
