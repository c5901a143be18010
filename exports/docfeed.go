package exports

// Feed is the record as the licensing feed shows it, without a cursor.
func (d *Doc) Feed() FeedRecord {
	return FeedRecord{Entry: d.Entry, Publisher: d.Ref(), LicenseIDs: d.LicenseIDs}
}
