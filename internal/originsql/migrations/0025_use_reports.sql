-- What partners and buyers report of their use of pages. All of it is private.

CREATE TABLE use_reports (
  reporter_kind TEXT NOT NULL,            -- private: partner, buyer
  reporter_id   TEXT NOT NULL,            -- private: organization or buyer whose credential sent it
  event_key     TEXT NOT NULL,            -- private: hex digest of the event's id, or of the event if it has none
  entry_id      TEXT NOT NULL,            -- private: the page
  site_id       TEXT NOT NULL,            -- private: its publisher's site
  event         TEXT NOT NULL,            -- private: retrieved, grounded, reproduced, cited, presented, engaged
  agent         TEXT NOT NULL DEFAULT '', -- private: agent that the reporter names, '' none
  occurred_at   TEXT NOT NULL,            -- private: when it happened, as reported
  reported_at   TEXT NOT NULL,            -- private: when the report came
  PRIMARY KEY (reporter_kind, reporter_id, event_key, entry_id)
) STRICT;
CREATE INDEX use_reports_by_site ON use_reports (site_id, occurred_at);
CREATE INDEX use_reports_by_age ON use_reports (reported_at);
