package templates

import (
	"context"
	"strings"
)

const mailRightsNotice = "Nothing in this message grants a right, and an inquiry is not an agreement."

// RenderMail renders a letter in HTML.
func RenderMail(ctx context.Context, m Mail) (string, error) {
	var b strings.Builder
	err := mailDocument(m).Render(ctx, &b)
	return b.String(), err
}

// Text is the letter in plain text, lines ended by line feeds.
func (m Mail) Text() string {
	var b strings.Builder
	writeParagraph := func(lines ...string) {
		b.WriteString(strings.Join(lines, "\n") + "\n\n")
	}
	writeParagraph(m.Sentence)
	writeParagraph("Request " + m.RequestID + ", " + m.time())
	switch {
	case m.Inbox != "":
		writeParagraph("Read and answer it:", m.address())
		writeParagraph(mailLinkNotice(m))
	case m.Operator:
		writeParagraph("Look at it with: " + m.command())
	}
	writeParagraph(mailRightsNotice)
	b.WriteString(m.reason() + "\n")
	return b.String()
}

// address is where the inquiry is read.
func (m Mail) address() string { return m.Inbox + "/" + m.RequestID }

func (m Mail) command() string { return "colophon inquiry show " + m.RequestID }

// time is the instant of the notification, to the minute.
func (m Mail) time() string {
	day, rest, found := strings.Cut(m.At, "T")
	if !found || len(rest) < 5 {
		return m.At
	}
	return day + " " + rest[:5] + " UTC"
}

func mailLinkNotice(m Mail) string {
	return "The link is private: whoever has it reads and answers for " + m.Publisher + ". Do not pass this message on."
}

// reason says why the letter came, and how to end such letters.
func (m Mail) reason() string {
	text := m.Service + " (" + m.BaseURL + ") notifies this address as receiver " + m.ReceiverID + "."
	if m.Contact != "" {
		text += " To end that, write to " + m.Contact + "."
	}
	return text
}
