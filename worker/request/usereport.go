package request

import (
	"context"

	"colophon/internal/usereport"
	"colophon/worker/edge"
)

// ReceiveUse answers a report of use from whoever a credential belongs to.
func ReceiveUse(ctx context.Context, c *Call, reports usereport.Service, from usereport.Reporter) (*edge.Response, error) {
	body, err := c.ParseBody(usereport.MaxBody)
	if err != nil {
		return nil, err
	}
	receipt, err := reports.Receive(ctx, from, &body)
	if err != nil {
		return nil, err
	}
	return Record(200, receipt), nil
}
