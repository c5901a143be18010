// Command mailbox is an SMTP server for the tests of the pages: it accepts
// every letter on the loopback address and writes it to standard output as a
// line of JSON, with the text decoded. The first line is its address.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"sync"

	"github.com/emersion/go-smtp"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "mailbox:", err)
		os.Exit(1)
	}
}

func serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	server := smtp.NewServer(&box{out: json.NewEncoder(os.Stdout)})
	server.Domain = "127.0.0.1"
	return server.Serve(listener)
}

// box writes the letters that it is sent.
type box struct {
	mu  sync.Mutex
	out *json.Encoder
}

// NewSession starts a session.
func (b *box) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{box: b}, nil }

type session struct {
	box *box
	to  string
}

// Mail accepts any sender.
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt accepts any recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

// Data reads a letter and writes it out.
func (s *session) Data(r io.Reader) error {
	subject, text, err := readLetter(r)
	if err != nil {
		return err
	}
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	return s.box.out.Encode(map[string]string{"to": s.to, "subject": subject, "text": text})
}

// Reset does nothing.
func (s *session) Reset() {}

// Logout does nothing.
func (s *session) Logout() error { return nil }

// readLetter returns the subject and the plain text of a letter.
func readLetter(r io.Reader) (subject, text string, err error) {
	letter, err := mail.ReadMessage(r)
	if err != nil {
		return "", "", err
	}
	if subject, err = new(mime.WordDecoder).DecodeHeader(letter.Header.Get("Subject")); err != nil {
		return "", "", err
	}
	_, params, err := mime.ParseMediaType(letter.Header.Get("Content-Type"))
	if err != nil {
		return "", "", err
	}
	part, err := multipart.NewReader(letter.Body, params["boundary"]).NextRawPart() // the plain part comes first
	if err != nil {
		return "", "", err
	}
	plain, err := io.ReadAll(quotedprintable.NewReader(part))
	return subject, string(plain), err
}
