-- What each client did, by the hour and over all its connections: for an operator who is asked what a partner has seen since nine. Both services
-- count in their memory and add here now and then, so the last moments of a killed process are missing.
CREATE TABLE oauth.client_activity (
  client_id text COLLATE "C" NOT NULL,
  hour timestamptz(0) NOT NULL, -- its beginning
  what text COLLATE "C" NOT NULL, -- such as 'calls', 'refused', 'refreshes': packages/connections, activity/
  reason text COLLATE "C" NOT NULL, -- of what was refused, limited or failed; else empty
  count bigint NOT NULL,
  PRIMARY KEY (client_id, hour, what, reason)
);
GRANT SELECT, INSERT, UPDATE ON oauth.client_activity TO authorization_server, resource_server;

-- Who asks to be erased is erased from the audit log too: whole texts in a record's details become pseudonyms, and nothing else of it
-- changes (packages/audit, erase-names.ts). The services' roles may still only insert.
CREATE OR REPLACE FUNCTION oauth.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details' AND NEW.details::text ~ '"erased:[A-Za-z0-9_-]{22}"'
      AND ARRAY(SELECT jsonb_object_keys(NEW.details) ORDER BY 1) = ARRAY(SELECT jsonb_object_keys(OLD.details) ORDER BY 1) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;
