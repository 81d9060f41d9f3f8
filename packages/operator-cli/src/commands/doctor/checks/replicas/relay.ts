import { type Finding, fine, type System, wrong } from "../../system.ts";

/** Another notifier takes the lease of a killed one within two; a machine that does much may take a little longer. */
const TAKEN_WITHIN_SECONDS = 5;

/** Some notifier has the lease of the relay, so changes come into the feeds. */
export async function relay({ sql }: System): Promise<Finding> {
  const [row] = await (await sql())<{ seconds: number }[]>`
    SELECT extract(epoch FROM clock_timestamp() - until)::float8 AS seconds FROM oauth.leases WHERE id = 'relay'`;
  const seconds = row?.seconds ?? Number.POSITIVE_INFINITY;
  if (seconds < TAKEN_WITHIN_SECONDS) return fine("a notifier relays changes to the feeds");
  const since = Number.isFinite(seconds) ? `for ${Math.round(seconds)} s` : "yet";
  return wrong(
    `nobody has relayed changes ${since}`,
    "start a notifier; if one runs, its /readyz and its log say why it does not relay",
  );
}
