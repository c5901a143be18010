package templates

import (
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/templates/frame"
)

// The frame that every page uses.
type (
	SiteFrame = frame.SiteFrame
	GroupLine = content.GroupLine
	Brand     = frame.Brand
	Crumb     = frame.Crumb
)

// Components that published pages share with the worker's.
var (
	layout          = frame.Layout
	outlink         = frame.Outlink
	shortlistButton = frame.ShortlistButton
	shortlistLink   = frame.ShortlistLink
	rightsLine      = frame.RightsLine
	badge           = frame.Badge
	publisherCards  = content.PublisherCards
	slugLabel       = content.CategoryLabel
	disagrees       = prose.Disagrees
	letterSign      = prose.LetterSign

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

// The most characters of texts.
const (
	nameLimit      = frame.NameLimit
	titleTextLimit = frame.TitleTextLimit
	noteLimit      = frame.NoteLimit
	proseLimit     = frame.ProseLimit
)

// Functions that the worker's pages use too.
var (
	eventWord      = prose.EventWord
	useName        = prose.UseName
	useMeaning     = prose.UseMeaning
	letterWord     = prose.LetterWord
	letterAt       = prose.LetterAt
	plain          = prose.PlainWord
	plains         = prose.PlainWords
	useNames       = prose.UseNames
	channelName    = prose.ChannelName
	scopePaths     = prose.ScopePaths
	territories    = prose.TerritoryWords
	price          = prose.PriceWords
	obligations    = prose.ObligationWords
	retentionWords = prose.RetentionWords
	conflictWords  = prose.ConflictWords
	count          = prose.Count
	counted        = prose.Counted
)
