import { lookup } from "node:dns/promises";
import { stat } from "node:fs/promises";
import { isIP } from "node:net";
import { type Config, VERSION } from "../../config.ts";
import { UsageError } from "../../errors.ts";
import { localReplicas, type Replica } from "../../stack.ts";
import {
  type Check,
  findingOf,
  type Problem,
  problemIf,
  type System,
  secondsAhead,
  successfulAnswers,
} from "./system.ts";

/** The replicas that REPLICAS names, else those of the local stack. */
export async function findReplicas(config: Config): Promise<Replica[]> {
  if (!config.REPLICAS?.length) return await localReplicas(config);
  return (await Promise.all(config.REPLICAS.map(replicasAt))).flat();
}

/**
 * A replica for each address of the host name, or only for its IPv4 addresses if it has any, because
 * a process may listen only on IPv4.
 */
async function replicasAt(text: string): Promise<Replica[]> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("REPLICAS takes URLs such as http://10.0.0.7:9000");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const itself = [{ name: url.host, url: url.origin }];
  if (isIP(host) !== 0 || url.protocol === "https:") return itself;
  const found = await lookup(host, { all: true }).catch(() => []);
  if (found.length === 0) return itself; // a stopped container; the check of replicas reports it
  const ipv4 = found.filter(({ family }) => family === 4);
  const addresses = ipv4.length > 0 ? ipv4 : found;
  return addresses.map(({ address, family }) => {
    const at = `${family === 6 ? `[${address}]` : address}${url.port && `:${url.port}`}`;
    return {
      name: addresses.length > 1 ? `${url.host} (${address})` : url.host,
      url: `http://${at}`,
    };
  });
}

/** Checks that every replica is ready, runs this release, and uses the same keys. */
export const checkReplicas: Check = async ({ answers, replicas }) => {
  if (replicas.length === 0) {
    return findingOf("", [["no replica is named", "name all replicas in REPLICAS"]]);
  }
  const [ready, metrics, keys] = await Promise.all([
    answers("/readyz"),
    answers("/metrics"),
    answers("/keys"),
  ]);
  const log = "its log says why ('not ready'); if only one can't reach a store, restart it";
  const notReady = ready.flatMap(({ name, problem, status, text = "" }): Problem[] =>
    problem
      ? [[`could not ask ${name}: ${problem}`, "start it, or correct REPLICAS"]]
      : problemIf(status !== 200, `${name} is not ready: ${text.trim().slice(0, 200)}`, log),
  );
  return findingOf(`${ready.length} are ready, of release ${VERSION}, and use the same keys`, [
    ...notReady,
    ...versionProblems(successfulAnswers(metrics)),
    ...keyProblems(successfulAnswers(keys)),
  ]);
};

type Answers = ReturnType<typeof successfulAnswers>;

/** Reports replicas of another release, as there are for a while during a rolling update. */
function versionProblems(answers: Answers): Problem[] {
  const remedy =
    "use one release for all replicas and the command line; after a rolling update, run doctor again";
  const builds = answers.map(({ name, text }) => {
    const [, labels = ""] = /^partner_connect_build_info\{([^}]*)\}/m.exec(text) ?? [];
    const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? "unknown";
    return { name, version: label("version"), build: `${label("version")} (${label("revision")})` };
  });
  const isMixed = new Set(builds.map(({ build }) => build)).size > 1;
  return builds
    .filter(({ version }) => isMixed || version !== VERSION)
    .map(({ name, build }) => [
      `${name} is ${build}${isMixed ? "" : `, and this command line ${VERSION}`}`,
      remedy,
    ]);
}

/** Maximum age of fetched keys: they are fetched every minute, through caches of five minutes. */
const STALE_SECONDS = 400;

/**
 * The document `/keys` of an authorization server, or of a resource server, whose `age_seconds` is
 * null before it has keys.
 */
type KeysReport = { readonly name: string } & (
  | {
      readonly published: readonly string[];
      readonly active: string;
      readonly keys_file_problem: string | null;
    }
  | { readonly known: readonly string[]; readonly age_seconds: number | null }
);

/**
 * Checks that every authorization server signs with the same key, and every resource server knows
 * all published keys and, if an authorization server answered, no others.
 */
function keyProblems(answers: Answers): Problem[] {
  const reports = answers.map(({ name, text }) => ({ name, ...JSON.parse(text) }) as KeysReport);
  const publishing = reports.filter((report) => "published" in report);
  const published = [...new Set(publishing.flatMap((report) => report.published))];
  const active = new Set(publishing.map((report) => report.active));
  const problems = reports.flatMap((report) => {
    const { name } = report;
    const lacking = (kids: readonly string[], verb: string) =>
      published
        .filter((kid) => !kids.includes(kid))
        .map((kid) => `${name} does not ${verb} ${kid}`);
    if ("published" in report) {
      return [
        ...(active.size > 1 ? [`${name} signs with ${report.active}`] : []),
        ...lacking(report.published, "publish"),
        ...(report.keys_file_problem === null ? [] : [`${name}: ${report.keys_file_problem}`]),
      ];
    }
    const { known, age_seconds: age } = report;
    const isStale = age === null || age > STALE_SECONDS;
    const fetched = `${name} has fetched the keys ${age === null ? "never" : `${age} s ago`}`;
    const ended = publishing.length > 0 ? known.filter((kid) => !published.includes(kid)) : [];
    const accepted = ended.map(
      (kid) =>
        `${name} still accepts ${kid}, which is no longer published: normal for ${STALE_SECONDS} s after its removal`,
    );
    return [...lacking(known, "know"), ...accepted, ...(isStale ? [fetched] : [])];
  });
  const remedy =
    "run doctor again in a minute; if the problem stays, compare the keys files, and check that JWKS_URL leads to the authorization servers";
  return problems.map((problem) => [problem, remedy]);
}

/** Mode bits that the keys file may not have. Its group may read it, for a mounted Secret. */
const FORBIDDEN = 0o037;
const DAY_MS = 86_400_000;

export const checkSigningKeys: Check = async ({ config: { signingKeysFile: file } }) => {
  const { isOldKey, keyAge, loadKeys, SigningKeysError } = await import(
    "@partner-connect/signing-keys"
  );
  const restore =
    "restore the file from its backup; only for a new installation: partner-connect keys generate (a new key ends all access tokens)";
  const loaded = await loadKeys(file).catch((error: unknown) => {
    if (error instanceof SigningKeysError) return error;
    throw error;
  });
  if (loaded instanceof SigningKeysError) {
    const isMissing = loaded.code === "SIGNING_KEYS_MISSING";
    return findingOf("", [[isMissing ? `there is no file ${file}` : loaded.message, restore]]);
  }
  const { mode } = await stat(file);
  const active = loaded.filter(({ status }) => status === "active");
  const now = new Date();
  const days = Math.max(0, ...active.map((key) => Math.floor(keyAge(key, now) / DAY_MS)));
  const age = `the active key is ${days} days old`;
  const readable = `${file} has the mode ${(mode & 0o777).toString(8)}, so others may read or change it`;
  const protect = `chmod 600 ${file}; if others may have read it, the keys have leaked: see the runbook`;
  const isOld = active.some((key) => isOldKey(key, now));
  return findingOf(`${loaded.length} in the file, ${active[0]?.kid} is active; ${age}`, [
    ...problemIf(
      active.length !== 1,
      `${active.length} keys are active; exactly one must be`,
      restore,
    ),
    ...problemIf((mode & FORBIDDEN) !== 0, readable, protect),
    ...problemIf(isOld, age, "partner-connect keys rotate"),
  ]);
};

/** Maximum difference of clocks: several machines count the lifetimes of tokens in seconds. */
const MOST_SECONDS = 1;

/**
 * Compares our clock with those of Postgres and the replicas that answer. Redis's clock doesn't
 * matter, because Redis gets only durations.
 */
export const checkClocks: Check = async (system) => {
  const answers: readonly { name: string; secondsAhead?: number }[] = [
    ...(await postgresAhead(system).catch(() => [])),
    ...(await system.answers("/livez")),
  ];
  const all = answers.flatMap(({ name, secondsAhead: ahead }) =>
    ahead === undefined ? [] : [{ name, ahead }],
  );
  const problems = all
    .filter(({ ahead }) => !(Math.abs(ahead) <= MOST_SECONDS))
    .map(
      ({ name, ahead }) =>
        `${name} is ${Math.abs(ahead).toFixed(1)} s ${ahead > 0 ? "ahead" : "behind"}`,
    );
  const remedy = "run NTP (chrony) on each machine";
  return findingOf(
    `${all.length} clocks differ from ours by at most ${MOST_SECONDS} s`,
    problems.map((problem) => [problem, remedy]),
  );
};

async function postgresAhead({ sql }: System) {
  const ask = await sql();
  await ask`SELECT`; // connects
  const asked = Date.now();
  const [{ now }] = await ask<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return [{ name: "Postgres", secondsAhead: secondsAhead(now.getTime(), asked, Date.now(), 1) }];
}
