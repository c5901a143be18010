// Package usereport takes what partners and buyers report of their use of
// pages: documents of Content Telemetry (SPUR), of which it keeps what happened
// to which page, when, and by which agent. Conversations, sessions and texts in
// them are not kept. A report is the reporter's own word; it grants no right.
package usereport
