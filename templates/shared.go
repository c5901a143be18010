package templates

import (
	"colophon/exports"
	"colophon/templates/frame"
)

// The frame of every page.
type (
	SiteFrame = frame.SiteFrame
	Brand     = frame.Brand
	Crumb     = frame.Crumb
)

// What pages share with those that the worker spells.
var (
	layout          = frame.Layout
	outlink         = frame.Outlink
	shortlistButton = frame.ShortlistButton
	shortlistLink   = frame.ShortlistLink
	rightsLine      = frame.RightsLine
	badge           = frame.Badge

	name   = frame.Name
	title  = frame.Title
	orElse = frame.OrElse

	node         = frame.Node
	document     = frame.Document
	text         = frame.Text
	address      = frame.Address
	instant      = frame.Instant
	organization = frame.Organization
)

// Lengths within which texts are kept, in characters.
const (
	nameLimit      = frame.NameLimit
	titleTextLimit = frame.TitleTextLimit
	noteLimit      = frame.NoteLimit
	proseLimit     = frame.ProseLimit
)

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
