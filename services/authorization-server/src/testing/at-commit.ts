import type { Sql } from "@partner-connect/database";

/** Runs PL/pgSQL at each commit that changes a connection, until the returned function runs. */
export async function atCommit(sql: Sql, work: string): Promise<() => Promise<void>> {
  await sql.unsafe(`
    CREATE OR REPLACE FUNCTION public.at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${work}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT OR UPDATE ON oauth.connections
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.at_commit()`);
  return async () => void (await sql`DROP TRIGGER IF EXISTS at_commit ON oauth.connections`);
}
