-- What a release has to know to work on this database: the newest row counts. A release that knows fewer migrations does not start.
CREATE TABLE directory.needed_schemas (
  version integer PRIMARY KEY, -- the number of a migration
  reason text NOT NULL -- what a release without it would do wrong
);
INSERT INTO directory.needed_schemas VALUES (18, 'disabled merchants could sign in');
GRANT SELECT ON directory.needed_schemas TO authorization_server, resource_server;
