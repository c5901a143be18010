package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// A holder is whoever may be let in or shut out by one verb of the operator: a
// partner, a buyer, or one of their secrets.
type holder[T any] struct {
	noun     string // as errors name it
	phrase   string // what the help says the verb acts on
	list     string // the command that shows them
	argument string // of the command, as in KEY_ID
	key      string // of the answer, as in key_id
	read     func(*originsql.Store, context.Context, string) (T, error)
	write    func(*originsql.Store, context.Context, T) error
	state    func(*T) (state, changedAt *string)
}

var (
	partnerHolder = holder[origin.Partner]{"partner", "an organization with all its keys", "partner list", "ORG_ID", "org_id",
		(*originsql.Store).Partner, (*originsql.Store).PutPartner,
		func(p *origin.Partner) (*string, *string) { return &p.State, &p.ChangedAt }}
	keyHolder = holder[origin.PartnerKey]{"key", "a key", "partner list", "KEY_ID", "key_id",
		(*originsql.Store).PartnerKey, (*originsql.Store).PutKey,
		func(k *origin.PartnerKey) (*string, *string) { return &k.State, &k.ChangedAt }}
	buyerHolder = holder[origin.Buyer]{"buyer", "the delivery to a buyer", "buyer list", "BUYER_ID", "buyer_id",
		(*originsql.Store).Buyer, (*originsql.Store).PutBuyer,
		func(b *origin.Buyer) (*string, *string) { return &b.State, &b.ChangedAt }}
	credentialHolder = holder[origin.BuyerCredential]{"credential", "a credential", "buyer list", "CREDENTIAL_ID", "credential_id",
		(*originsql.Store).Credential, (*originsql.Store).PutCredential,
		func(c *origin.BuyerCredential) (*string, *string) { return &c.State, &c.ChangedAt }}
)

// findEntity reads one, with an error that names the next step where it is missing.
func (h holder[T]) findEntity(ctx context.Context, store *originsql.Store, id string) (T, error) {
	x, err := h.read(store, ctx, id)
	if errors.Is(err, origin.ErrNotFound) {
		err = fmt.Errorf("there is no %s %q; \"colophon %s\" shows them", h.noun, id, h.list)
	}
	return x, err
}

// stateCommand sets the state at once. Revoked is for good.
func (h holder[T]) stateCommand(e *env, verb, to string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " " + h.argument, Short: strings.ToUpper(verb[:1]) + verb[1:] + " " + h.phrase + " at once", Args: exactArgs(h.argument),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				x, err := h.findEntity(cmd.Context(), store, args[0])
				if err != nil {
					return err
				}
				state, changedAt := h.state(&x)
				if *state == "revoked" && to != "revoked" {
					return fmt.Errorf("%s %q is revoked for good; issue another", h.noun, args[0])
				}
				*state, *changedAt = to, nowRFC3339()
				if err := h.write(store, cmd.Context(), x); err != nil {
					return err
				}
				return e.printResult(map[string]string{h.key: args[0], "state": to}, func(w io.Writer) { fmt.Fprintln(w, args[0], to) })
			})
		},
	}
}
