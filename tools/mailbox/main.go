// Command mailbox is an SMTP server for the tests of the pages: it takes every
// letter on the loopback address and writes it to standard output, a line of
// JSON each, with the text decoded. The first line is its address.
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

// box writes what it is sent.
type box struct {
	mu  sync.Mutex
	out *json.Encoder
}

// NewSession begins a connection.
func (b *box) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{box: b}, nil }

type session struct {
	box *box
	to  string
}

// Mail takes any sender.
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt takes any receiver.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

// Data takes a letter.
func (s *session) Data(r io.Reader) error {
	subject, text, err := readLetter(r)
	if err != nil {
		return err
	}
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	return s.box.out.Encode(map[string]string{"to": s.to, "subject": subject, "text": text})
}

// Reset begins another letter.
func (s *session) Reset() {}

// Logout ends a connection.
func (s *session) Logout() error { return nil }

// readLetter reads the subject and the plain text of a letter.
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
	part, err := multipart.NewReader(letter.Body, params["boundary"]).NextRawPart() // the plain one comes first
	if err != nil {
		return "", "", err
	}
	plain, err := io.ReadAll(quotedprintable.NewReader(part))
	return subject, string(plain), err
}
