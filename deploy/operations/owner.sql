-- Makes the role that owns this database and its schemas, and may make the services' roles, but is
-- no superuser; and gives it what a superuser made here before. Repeated, it changes only what
-- differs, so that no reader waits; a table that is in use for longer than three seconds ends it
-- with an error, and nothing was changed. To be run by a superuser in the database:
--   PGOPTIONS="-c owner.name=partner_connect -c owner.password=…" psql --dbname=partner_connect --set=ON_ERROR_STOP=1 --file=owner.sql
DO $$
DECLARE
  owner text := current_setting('owner.name');
  schemas regnamespace[] := ARRAY(
    SELECT oid::regnamespace FROM pg_namespace
    WHERE nspname IN ('directory', 'oauth', 'survey', 'worker_jobs', 'back_office_jobs'));
  statement text;
BEGIN
  PERFORM set_config('lock_timeout', '3s', true);
  IF to_regrole(quote_ident(owner)) IS NULL THEN
    EXECUTE format('CREATE ROLE %I', owner);
  END IF;
  EXECUTE format('ALTER ROLE %I LOGIN CREATEROLE NOSUPERUSER NOCREATEDB NOREPLICATION NOBYPASSRLS PASSWORD %L',
    owner, current_setting('owner.password'));
  FOR statement IN
    SELECT format('GRANT pg_monitor TO %I', owner) -- for doctor, and to say who holds a lock
    UNION ALL SELECT format('GRANT %I TO %I WITH ADMIN TRUE, INHERIT FALSE, SET FALSE', rolname, owner)
    FROM pg_roles AS role WHERE rolname IN ('authorization_server', 'resource_server', 'worker', 'back_office')
      AND NOT EXISTS (SELECT FROM pg_auth_members
        WHERE roleid = role.oid AND member = to_regrole(quote_ident(owner)) AND admin_option)
    UNION ALL SELECT format('ALTER %s %s OWNER TO %I', kind, name, owner) FROM (
      SELECT 'DATABASE', quote_ident(datname), datdba FROM pg_database WHERE datname = current_database()
      UNION ALL SELECT 'SCHEMA', quote_ident(nspname), nspowner FROM pg_namespace WHERE oid = ANY (schemas)
      UNION ALL SELECT 'TABLE', oid::regclass::text, relowner FROM pg_class WHERE relkind IN ('r', 'p')
        AND (relnamespace = ANY (schemas) OR oid IN (to_regclass('public.schema_version'), to_regclass('public.schema_objects')))
      UNION ALL SELECT 'ROUTINE', oid::regprocedure::text, proowner FROM pg_proc WHERE pronamespace = ANY (schemas)
      UNION ALL SELECT 'TYPE', oid::regtype::text, typowner FROM pg_type WHERE typnamespace = ANY (schemas) AND typtype = 'e'
    ) AS object (kind, name, owned_by) WHERE owned_by <> to_regrole(quote_ident(owner))
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;
