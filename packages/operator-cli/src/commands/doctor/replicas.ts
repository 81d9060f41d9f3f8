import { stat } from "node:fs/promises";
import { VERSION } from "../../config.ts";
import { secondsAhead, told } from "./ask-replicas.ts";
import { type Finding, judge, type Problem, type System, when } from "./system.ts";

/** Every replica is ready, of this release, and uses the same keys. */
export async function replicas(system: System): Promise<Finding> {
  const { answers, replicas } = system;
  if (replicas.length === 0) {
    return judge("", [["no replica is named, so none was asked", "name all in REPLICAS"]]);
  }
  const readyz = `/readyz?${(await storesAway(system)).map((store) => `exclude=${store}`).join("&")}`;
  const [ready, metrics, keys] = await Promise.all([answers(readyz), answers("/metrics"), answers("/keys")]);
  const log = "its log says why ('not ready'); if only one can't reach a store, restart it";
  const notReady = ready.flatMap((answer): Problem[] => {
    if ("problem" in answer)
      return [[`could not ask ${answer.name}: ${answer.problem}`, "start it, or correct REPLICAS"]];
    return answer.status === 200 ? [] : [[`${answer.name} is not ready: ${answer.text.trim().slice(0, 200)}`, log]];
  });
  return judge(`${ready.length} are ready, of release ${VERSION}, and use the same keys`, [
    ...notReady,
    ...versionProblems(told(metrics)),
    ...keyProblems(told(keys)),
  ]);
}

/** The stores that don't answer here either: other checks report them. */
async function storesAway({ sql, redis }: System): Promise<string[]> {
  const asked = await Promise.allSettled([
    sql().then((ask) => ask`SELECT`),
    redis("redis"),
    redis("resource-server-redis"),
  ]);
  const [postgres, ...redises] = asked.map(({ status }) => status === "rejected");
  return [...(postgres ? ["postgres"] : []), ...(redises.includes(true) ? ["redis"] : [])];
}

type Told = ReturnType<typeof told>;

const LEAST_NODE = 24;

/** During a rolling update there are two for a while. */
function versionProblems(answers: Told): Problem[] {
  const remedy = `one release for all replicas and the command line, each on Node ${LEAST_NODE} or newer; during a rolling update look again`;
  const builds = answers.map(({ name, text }) => ({
    name,
    build: buildOf(text),
    node: /^nodejs_version_info\{[^}]*version="v([^"]+)"/m.exec(text)?.[1] ?? "unknown",
  }));
  const differing = new Set(builds.map(({ build }) => build.whole)).size > 1;
  const problems = [
    ...builds.flatMap(({ name, build }) => {
      if (differing) return [`${name} is ${build.whole}`];
      return build.version === VERSION ? [] : [`${name} is ${build.whole}, and this command line ${VERSION}`];
    }),
    ...[...builds, { name: "this command line", node: process.versions.node }].flatMap(({ name, node }) =>
      Number.parseInt(node, 10) >= LEAST_NODE ? [] : [`${name} runs on Node ${node}`],
    ),
  ];
  return problems.map((problem) => [problem, remedy]);
}

function buildOf(metrics: string): { readonly version: string; readonly whole: string } {
  const labels = /^partner_connect_build_info\{([^}]*)\}/m.exec(metrics)?.[1] ?? "";
  const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? "unknown";
  return { version: label("version"), whole: `${label("version")} (${label("revision")})` };
}

/** Resource servers fetch the keys every minute, and caches between may keep them for five. */
const STALE_SECONDS = 400;

/** `/keys` of an authorization server, or of a resource server (`age_seconds`: null if it has no keys yet). */
type KeysReport = { readonly name: string } & (
  | { readonly published: readonly string[]; readonly active: string; readonly keys_file_problem: string | null }
  | { readonly known: readonly string[]; readonly age_seconds: number | null }
);

/** Every authorization server signs by the same key, and every resource server knows what they publish. */
function keyProblems(answers: Told): Problem[] {
  const reports = answers.map(({ name, text }) => ({ name, ...JSON.parse(text) }) as KeysReport);
  const publishing = reports.filter((report) => "published" in report);
  const knowing = reports.filter((report) => "known" in report);
  const published = [...new Set(publishing.flatMap((report) => report.published))];
  const active = new Set(publishing.map((report) => report.active));
  const lacking = (kids: readonly string[]) => published.filter((kid) => !kids.includes(kid));
  const problems = [
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
  const remedy =
    "look again in a minute; if it stays so, compare the keys files, and see that JWKS_URL leads to the authorization servers";
  return problems.map((problem) => [problem, remedy]);
}

/** Its owner reads and writes it; its group may read it, which a mounted Secret needs. */
const FORBIDDEN = 0o037;

const DAY_MS = 86_400_000;

/** The file of signing keys. */
export async function signingKeys({ config: { signingKeysFile } }: System): Promise<Finding> {
  const { isOldKey, keyAge, loadKeys, SigningKeysError } = await import("@partner-connect/signing-keys");
  const restore =
    "put the file back from its backup; only for a new installation: partner-connect keys generate (a new key ends all access tokens)";
  const loaded = await loadKeys(signingKeysFile).catch((error: unknown) => {
    if (error instanceof SigningKeysError) return error;
    throw error;
  });
  if (loaded instanceof SigningKeysError) {
    const isMissing = loaded.code === "SIGNING_KEYS_MISSING";
    return judge("", [[isMissing ? `there is no file ${signingKeysFile}` : loaded.message, restore]]);
  }
  const { mode } = await stat(signingKeysFile);
  const active = loaded.filter(({ status }) => status === "active");
  const now = new Date();
  const days = Math.max(0, ...active.map((key) => Math.floor(keyAge(key, now) / DAY_MS)));
  const age = `the active key is ${days} days old`;
  return judge(`${loaded.length} in the file, ${active[0]?.kid} is active; ${age}`, [
    ...when(active.length !== 1, `${active.length} keys are active, and it must be one`, restore),
    ...when(
      (mode & FORBIDDEN) !== 0,
      `${signingKeysFile} has the mode ${(mode & 0o777).toString(8)}, so others may read or change it`,
      `chmod 600 ${signingKeysFile}; if others may have read it, rotate: partner-connect keys --help`,
    ),
    ...when(
      active.some((key) => isOldKey(key, now)),
      age,
      "partner-connect keys rotate",
    ),
  ]);
}

/** Lifetimes of tokens and codes are counted in seconds, by several machines. */
const MOST_SECONDS = 1;

/** Of the stores and replicas that answer. */
export async function clocks(system: System): Promise<Finding> {
  const [postgres, replicas, ...stores] = await Promise.all([
    postgresAhead(system).catch(() => []),
    system.answers("/livez"),
    ...(["redis", "resource-server-redis"] as const).map((store) =>
      system.redis(store).then(
        ({ servers }) =>
          servers.map(({ name, secondsAhead }) => ({ name: name ? `${store} ${name}` : store, secondsAhead })),
        () => [],
      ),
    ),
  ]);
  const all = [...postgres, ...stores.flat(), ...replicas.filter((answer) => "secondsAhead" in answer)];
  const problems = all
    .filter(({ secondsAhead }) => !(Math.abs(secondsAhead) <= MOST_SECONDS))
    .map(
      ({ name, secondsAhead: ahead }) => `${name} is ${Math.abs(ahead).toFixed(1)} s ${ahead > 0 ? "ahead" : "behind"}`,
    );
  return judge(
    `${all.length} agree with ours to ${MOST_SECONDS} s`,
    problems.map((problem) => [problem, "run NTP (chrony) on each machine"]),
  );
}

async function postgresAhead({ sql }: System) {
  const ask = await sql();
  await ask`SELECT`; // so that a connection is there
  const asked = Date.now();
  const [row] = await ask<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  const theirs = row?.now.getTime() ?? Number.NaN;
  return [{ name: "Postgres", secondsAhead: secondsAhead(theirs, asked, Date.now(), 1) }];
}
