package exports

// MaxOrdered is up to how many records a list for people offers other orders, and
// counts beside its choices: both look at all records that match.
const MaxOrdered = 20_000
