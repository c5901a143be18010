package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/inquiry"
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
	set      func(x *T, state, at string) error
}

var (
	partnerHolder = holder[origin.Partner]{"partner", "an organization with all its keys", "partner list", "ORG_ID", "org_id",
		(*originsql.Store).Partner, (*originsql.Store).PutPartner,
		func(p *origin.Partner, state, at string) error { return setState(&p.State, &p.ChangedAt, state, at) }}
	keyHolder = holder[origin.PartnerKey]{"key", "a key", "partner list", "KEY_ID", "key_id",
		(*originsql.Store).PartnerKey, (*originsql.Store).PutKey,
		func(k *origin.PartnerKey, state, at string) error {
			return inquiry.SetCredentialState(&k.Credential, state, at)
		}}
	buyerHolder = holder[origin.Buyer]{"buyer", "the delivery to a buyer", "buyer list", "BUYER_ID", "buyer_id",
		(*originsql.Store).Buyer, (*originsql.Store).PutBuyer,
		func(b *origin.Buyer, state, at string) error { return setState(&b.State, &b.ChangedAt, state, at) }}
	credentialHolder = holder[origin.BuyerCredential]{"credential", "a credential", "buyer list", "CREDENTIAL_ID", "credential_id",
		(*originsql.Store).Credential, (*originsql.Store).PutCredential,
		func(c *origin.BuyerCredential, state, at string) error {
			return inquiry.SetCredentialState(&c.Credential, state, at)
		}}
)

func setState(state, changedAt *string, to, at string) error {
	*state = to
	*changedAt = at
	return nil
}

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
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			x, err := h.findEntity(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			if err := h.set(&x, to, nowRFC3339()); errors.Is(err, inquiry.ErrRevoked) {
				return fmt.Errorf("%s %q is revoked for good; issue another", h.noun, args[0])
			}
			if err := h.write(store, cmd.Context(), x); err != nil {
				return err
			}
			return e.printResult(map[string]string{h.key: args[0], "state": to}, func(w io.Writer) { fmt.Fprintln(w, args[0], to) })
		}),
	}
}
