-- What the audit log was, in digests that are sealed by a key which the database does not have: packages/audit/src/seals.
CREATE TABLE directory.audit_seals (
  log text NOT NULL CHECK (log IN ('directory', 'oauth')), -- the schema of the log
  number integer NOT NULL CHECK (number > 0), -- from 1, without a gap, in each log
  until timestamptz(3) NOT NULL, -- it seals what is older, and not older than the former one's time
  digests bytea NOT NULL, -- 16 bytes a record, by time and id
  seal bytea NOT NULL, -- of all this, and of the former seal
  PRIMARY KEY (log, number)
);
