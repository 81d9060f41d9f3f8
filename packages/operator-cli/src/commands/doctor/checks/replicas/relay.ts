import { type Finding, fine, type System, wrong } from "../../system.ts";

/** Another notifier takes the lease of a killed one within two; a machine that does much may take a little longer. */
const TAKEN_WITHIN_SECONDS = 5;

/** A note is relayed within a second. */
const RELAYED_WITHIN_SECONDS = 60;

/** Some notifier has the lease of the relay, and relays, so changes come into the feeds. */
export async function relay({ sql }: System): Promise<Finding> {
  const ask = await sql();
  const [row] = await ask<{ seconds: number }[]>`
    SELECT extract(epoch FROM clock_timestamp() - until)::float8 AS seconds FROM oauth.leases WHERE id = 'relay'`;
  const seconds = row?.seconds ?? Number.POSITIVE_INFINITY;
  if (seconds < TAKEN_WITHIN_SECONDS) {
    const [waiting] = await ask<{ seconds: number | null }[]>`
      SELECT extract(epoch FROM clock_timestamp() - min(at))::float8 AS seconds FROM oauth.change_notes`;
    const oldest = waiting?.seconds ?? 0;
    if (oldest < RELAYED_WITHIN_SECONDS) return fine("a notifier relays changes to the feeds");
    return wrong(
      `changes wait for ${Math.round(oldest)} s to be relayed`,
      "the log of the notifiers says why a round fails; after an import of many shops, or a migration, wait",
    );
  }
  const since = Number.isFinite(seconds) ? `for ${Math.round(seconds)} s` : "yet";
  return wrong(
    `nobody has relayed changes ${since}`,
    "start a notifier; if one runs, its /readyz and its log say why it does not relay",
  );
}
