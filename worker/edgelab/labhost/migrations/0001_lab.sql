CREATE TABLE lab (key TEXT PRIMARY KEY, state TEXT NOT NULL, count INTEGER NOT NULL);
INSERT INTO lab VALUES ('k1', 'open', 0), ('shut', 'closed', 0);
