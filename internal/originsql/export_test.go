package originsql

// Withheld are the columns whose values the audit trail does not show.
var Withheld = withheld
