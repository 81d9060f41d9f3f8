import { present, secondsAhead } from "../../../../terminal/present.ts";
import { type Finding, unless } from "../../check.ts";
import type { RedisState } from "../../redis-state.ts";
import type { System } from "../../system.ts";

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
  const asked = present().getTime();
  const [row] = await ask<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return secondsAhead(row?.now.getTime() ?? Number.NaN, asked, present().getTime(), 1);
}
