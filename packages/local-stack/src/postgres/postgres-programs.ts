import { type Binaries, postgresBinaries } from "./binaries.ts";
import { type PostgresUser, postgresUser } from "./postgres-user.ts";
import { INITDB_FLAGS } from "./settings.ts";

export interface PostgresPrograms extends Binaries {
  readonly initdbFlags: readonly string[];
  /** Who has to run them; null: this process's own user. */
  readonly user: PostgresUser | null;
}

/** Postgres's programs from npm, for tests that run clusters of their own: standbys, copies, restored ones. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const user = await postgresUser(() => {});
  return { ...(await postgresBinaries(user, () => {})), initdbFlags: INITDB_FLAGS, user };
}
