-- Makes the role that owns this database and its schemas, and may make the services' roles, but is no superuser; and gives it what a
-- superuser made here before. Safe to repeat. To be run by a superuser in the database, with the role's name and password as settings:
--   PGOPTIONS="-c owner.name=partner_connect -c owner.password=…" psql --dbname=partner_connect --set=ON_ERROR_STOP=1 --file=owner.sql
DO $$
DECLARE
  owner text := current_setting('owner.name');
  statement text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = owner) THEN
    EXECUTE format('CREATE ROLE %I', owner);
  END IF;
  EXECUTE format('ALTER ROLE %I LOGIN CREATEROLE NOSUPERUSER NOCREATEDB NOREPLICATION NOBYPASSRLS PASSWORD %L',
    owner, current_setting('owner.password'));
  EXECUTE format('GRANT pg_monitor TO %I', owner); -- for doctor, and to say who holds a lock
  EXECUTE format('ALTER DATABASE %I OWNER TO %I', current_database(), owner);
  FOR statement IN
    SELECT format('GRANT %I TO %I WITH ADMIN TRUE, INHERIT FALSE, SET FALSE', rolname, owner)
    FROM pg_roles WHERE rolname IN ('authorization_server', 'resource_server', 'worker')
    UNION ALL SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, owner)
    FROM pg_namespace WHERE nspname IN ('directory', 'oauth', 'survey', 'worker_jobs')
    UNION ALL SELECT format('ALTER TABLE %s OWNER TO %I', oid::regclass, owner)
    FROM pg_class WHERE relkind IN ('r', 'p')
      AND (relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey', 'worker_jobs') OR oid IN (to_regclass('public.schema_version'), to_regclass('public.schema_objects')))
    UNION ALL SELECT format('ALTER ROUTINE %s OWNER TO %I', oid::regprocedure, owner)
    FROM pg_proc WHERE pronamespace::regnamespace::text IN ('directory', 'oauth', 'survey', 'worker_jobs')
    UNION ALL SELECT format('ALTER TYPE %s OWNER TO %I', to_regtype('worker_jobs.job_state'), owner) WHERE to_regtype('worker_jobs.job_state') IS NOT NULL
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;
