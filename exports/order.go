package exports

// MaxOrdered is the number of records up to which a list for people offers
// other orders, and counts beside its filters: both have to look at every
// matching record.
const MaxOrdered = 20_000
