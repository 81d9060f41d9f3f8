import { stat } from "node:fs/promises";
import { silence, told } from "../../ask-replicas.ts";
import { type Finding, fine, type System, unless, wrong } from "../../system.ts";

/** Its owner reads and writes it; its group may read it, which a mounted Secret needs. */
const FORBIDDEN = 0o037;

export async function signingKeys({ config: { signingKeysFile } }: System): Promise<Finding> {
  const { loadKeys } = await import("@partner-connect/signing-keys");
  const keys = await loadKeys(signingKeysFile);
  const { mode } = await stat(signingKeysFile);
  const active = keys.filter(({ status }) => status === "active");
  const isOpen = (mode & FORBIDDEN) !== 0;
  const problems = [
    ...(active.length === 1 ? [] : [`${active.length} keys are active, and it must be one`]),
    ...(isOpen
      ? [`${signingKeysFile} has the mode ${(mode & 0o777).toString(8)}, so others may read or change it`]
      : []),
  ];
  const remedy = isOpen
    ? `chmod 600 ${signingKeysFile}; if others may have read it, rotate: partner-connect keys --help`
    : "restore the file from its backup, or: partner-connect keys generate";
  return unless(problems, `${keys.length} in the file, ${active[0]?.kid} is active`, remedy);
}

const DAY_MS = 86_400_000;

export async function keyAge({ config }: System): Promise<Finding> {
  const { isOldKey, keyAge, loadKeys } = await import("@partner-connect/signing-keys");
  const active = (await loadKeys(config.signingKeysFile)).filter(({ status }) => status === "active");
  const now = new Date();
  const days = Math.max(0, ...active.map((key) => Math.floor(keyAge(key, now) / DAY_MS)));
  const found = `the active key is ${days} days old`;
  return active.some((key) => isOldKey(key, now)) ? wrong(found, "partner-connect keys rotate") : fine(found);
}

/** They fetch the keys every minute, and caches between may keep them for five. */
const STALE_SECONDS = 400;

/** `/keys` of an authorization server, or of a resource server (`age_seconds`: null if it has no keys yet). */
type Report = { readonly name: string } & (
  | { readonly published: readonly string[]; readonly active: string; readonly keys_file_problem: string | null }
  | { readonly known: readonly string[]; readonly age_seconds: number | null }
);

/** Every authorization server signs by the same key, and every resource server knows what they publish. */
export async function replicaKeys({ answers }: System): Promise<Finding> {
  const found = await answers("/keys");
  const reports = told(found).map(({ name, text }) => ({ name, ...JSON.parse(text) }) as Report);
  const publishing = reports.filter((report) => "published" in report);
  const knowing = reports.filter((report) => "known" in report);
  const published = [...new Set(publishing.flatMap((report) => report.published))];
  const active = new Set(publishing.map((report) => report.active));
  const lacking = (kids: readonly string[]) => published.filter((kid) => !kids.includes(kid));
  const problems = [
    ...silence(found),
    ...(active.size > 1 ? publishing.map(({ name, active }) => `${name} signs by ${active}`) : []),
    ...publishing.flatMap(({ name, published }) => lacking(published).map((kid) => `${name} does not publish ${kid}`)),
    ...publishing.flatMap(({ name, keys_file_problem }) =>
      keys_file_problem === null ? [] : [`${name}: ${keys_file_problem}`],
    ),
    ...knowing.flatMap(({ name, known }) => lacking(known).map((kid) => `${name} does not know ${kid}`)),
    ...knowing.flatMap(({ name, age_seconds: age }) =>
      age === null || age > STALE_SECONDS
        ? [`${name} has fetched the keys ${age === null ? "never" : `${age} s ago`}`]
        : [],
    ),
  ];
  return unless(
    problems,
    reports.length === 0 ? "no replica was named" : `all sign by ${[...active].join(", ")}, and all know it`,
    "look again in a minute; if it stays so, compare the keys files, and see that JWKS_URL leads to the authorization servers",
  );
}
