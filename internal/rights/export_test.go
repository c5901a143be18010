package rights

// KeptJudgements returns how many judgements a document keeps.
func KeptJudgements(s *RightsDocument) int { return len(s.judgements.known) }
