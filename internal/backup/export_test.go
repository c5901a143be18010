package backup

// CheckOrigin is checkOrigin for tests outside the package.
var CheckOrigin = checkOrigin
