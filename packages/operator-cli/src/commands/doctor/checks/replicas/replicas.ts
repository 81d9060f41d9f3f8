import { VERSION } from "../../../../run/context.ts";
import { secondsAhead, silence, told } from "../../ask-replicas.ts";
import type { RedisState } from "../../redis-state.ts";
import { type Finding, fine, type System, unless, wrong } from "../../system.ts";

/** A value that is malformed is refused before any command begins. */
export async function configuration({ stack, replicas }: System): Promise<Finding> {
  const { publicBaseUrl } = await stack();
  if (publicBaseUrl === null) {
    return wrong(
      "PUBLIC_BASE_URL is not set, so links for merchants have no address",
      "set it as the services have it",
    );
  }
  if (replicas.length === 0) {
    return wrong("no replica is named, so none can be looked at", "name each by --replica, or all in REPLICAS");
  }
  return fine(`${publicBaseUrl}, ${replicas.length} replicas`);
}

export async function replicas({ answers }: System): Promise<Finding> {
  const found = await answers("/readyz");
  const problems = found.flatMap((answer) =>
    "problem" in answer
      ? [`could not ask ${answer.name}: ${answer.problem}`]
      : answer.status === 200
        ? []
        : [`${answer.name} is not ready: ${answer.text.trim().slice(0, 200)}`],
  );
  return unless(
    problems,
    found.length === 0 ? "none was named" : `${found.length} are ready`,
    "its log says why ('not ready'); if only one can't reach a store, restart it",
  );
}

const LEAST_NODE = 24;

/** During a rolling update there are two for a while. */
export async function versions({ answers }: System): Promise<Finding> {
  const found = await answers("/metrics");
  const builds = told(found).map(({ name, text }) => ({
    name,
    build: buildOf(text),
    node: /^nodejs_version_info\{[^}]*version="v([^"]+)"/m.exec(text)?.[1] ?? "unknown",
  }));
  const differing = new Set(builds.map(({ build }) => build.whole)).size > 1;
  const problems = [
    ...silence(found),
    ...(differing ? builds.map(({ name, build }) => `${name} is ${build.whole}`) : []),
    ...builds.flatMap(({ name, build }) =>
      build.version === VERSION || differing ? [] : [`${name} is ${build.whole}, and this command line ${VERSION}`],
    ),
    ...[...builds, { name: "this command line", node: process.versions.node }].flatMap(({ name, node }) =>
      Number.parseInt(node, 10) >= LEAST_NODE ? [] : [`${name} runs on Node ${node}`],
    ),
  ];
  const remedy = `one release for all replicas and the command line, each on Node ${LEAST_NODE} or newer; during a rolling update look again`;
  return unless(problems, `${VERSION} on Node ${process.versions.node}, ${builds.length} replicas too`, remedy);
}

function buildOf(metrics: string): { readonly version: string; readonly whole: string } {
  const labels = /^partner_connect_build_info\{([^}]*)\}/m.exec(metrics)?.[1] ?? "";
  const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? "unknown";
  return { version: label("version"), whole: `${label("version")} (${label("revision")})` };
}

/** Lifetimes of tokens and codes are counted in seconds, by several machines. */
const MOST_SECONDS = 1;

export async function clocks(system: System): Promise<Finding> {
  const replicas = (await system.answers("/livez")).flatMap((answer) =>
    "secondsAhead" in answer ? [[answer.name, answer.secondsAhead] as const] : [],
  );
  const first = await system.redis("redis");
  const second = await system.redis("resource-server-redis");
  const all = [
    ["Postgres", await postgresAhead(system)] as const,
    ...clocksOf("redis", first),
    ...clocksOf("resource-server-redis", second),
    ...replicas,
  ];
  const problems = all
    .filter(([, ahead]) => !(Math.abs(ahead) <= MOST_SECONDS))
    .map(([name, ahead]) => `${name} is ${Math.abs(ahead).toFixed(1)} s ${ahead > 0 ? "ahead" : "behind"}`);
  return unless(problems, `${all.length} agree with ours to ${MOST_SECONDS} s`, "run NTP (chrony) on each machine");
}

function clocksOf(store: string, { servers }: RedisState): (readonly [name: string, ahead: number])[] {
  return servers.map(({ name, secondsAhead: ahead }) => [name ? `${store} ${name}` : store, ahead]);
}

async function postgresAhead({ sql }: System): Promise<number> {
  const ask = await sql();
  await ask`SELECT`; // so that a connection is there
  const asked = Date.now();
  const [row] = await ask<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return secondsAhead(row?.now.getTime() ?? Number.NaN, asked, Date.now(), 1);
}
