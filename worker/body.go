package worker

import (
	"colophon/internal/inquiry"
	"colophon/worker/problem"
)

// inquiryService is where the stored requests are worked on, or an error when this
// server keeps none.
func (c *call) inquiryService() (inquiry.Service, error) {
	d := c.deps
	if d.Inquiries == nil || d.Sites == nil || len(d.Secret) == 0 {
		return inquiry.Service{}, problem.Unavailable()
	}
	return inquiry.Service{Store: d.Inquiries, Now: d.Now, Rand: d.Rand}, nil
}
