package statements

import "slices"

// sameAnswers reports whether two lists say the same from the same sources.
func sameAnswers(a, b []Answer) bool {
	return slices.EqualFunc(a, b, func(x, y Answer) bool {
		return x.Channel == y.Channel && x.Agent == y.Agent && x.Use == y.Use && x.Effect == y.Effect && x.Value == y.Value && x.Why == y.Why && x.Retention == y.Retention &&
			slices.EqualFunc(x.Options, y.Options, sameOption) && slices.Equal(x.Loss, y.Loss) && slices.Equal(x.Sources, y.Sources)
	})
}

func sameOption(a, b Option) bool { return a.Effect == b.Effect && sameTerms(&a.Terms, &b.Terms) }

func sameTerms(a, b *Terms) bool {
	return a.Payment == b.Payment && a.Amount == b.Amount && a.Currency == b.Currency && a.Custom == b.Custom && a.Standard == b.Standard &&
		a.Server == b.Server && slices.Equal(a.UserTypes, b.UserTypes) && slices.Equal(a.NotUserTypes, b.NotUserTypes) &&
		slices.Equal(a.Territories, b.Territories) && slices.Equal(a.NotTerritories, b.NotTerritories) && slices.Equal(a.Obligations, b.Obligations)
}
