import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Config } from "../../config.ts";
import { OperatorError, UsageError } from "../../errors.ts";
import { localReplicas, type Replica } from "../../stack.ts";

export type ReplicaAnswer = { readonly name: string } & (
  | { readonly status: number; readonly text: string; readonly secondsAhead: number }
  | { readonly problem: string }
);

const LIMIT_MS = 3000;
/** An HTTP date has whole seconds. */
const RESOLUTION_MS = 1000;

export async function askReplica({ name, url }: Replica, path: string): Promise<ReplicaAnswer> {
  const asked = Date.now();
  try {
    const response = await fetch(url + path, { redirect: "error", signal: AbortSignal.timeout(LIMIT_MS) });
    const text = await response.text();
    const theirs = Date.parse(response.headers.get("date") ?? "");
    return {
      name,
      status: response.status,
      text,
      secondsAhead: secondsAhead(theirs, asked, Date.now(), RESOLUTION_MS),
    };
  } catch (error) {
    const { name: kind, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    return {
      name,
      problem: kind === "TimeoutError" ? `no answer within ${LIMIT_MS / 1000} s` : (cause?.code ?? message),
    };
  }
}

/** Seconds by which a clock that said `theirs`, `resolution` ms ago at most, between question and answer, is ahead of ours at least. */
export function secondsAhead(theirs: number, asked: number, answered: number, resolution = 0): number {
  if (theirs > answered) return (theirs - answered) / 1000;
  if (theirs + resolution < asked) return (theirs + resolution - asked) / 1000;
  return 0;
}

/** The answers that are 200. */
export function told(answers: readonly ReplicaAnswer[]): { readonly name: string; readonly text: string }[] {
  return answers.flatMap((answer) => ("text" in answer && answer.status === 200 ? [answer] : []));
}

/** The replicas that REPLICAS names; else those of the local stack that the commands work on. */
export async function findReplicas(config: Config): Promise<Replica[]> {
  if (config.replicas.length === 0) return await localReplicas(config);
  return (await Promise.all(config.replicas.map(replicasAt))).flat();
}

/** All that the host's name stands for. IPv4 alone where there is any: a process that listens there may not listen on IPv6. */
async function replicasAt(text: string): Promise<Replica[]> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("REPLICAS takes URLs such as http://10.0.0.7:9000");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 || url.protocol === "https:") return [{ name: url.host, url: url.origin }];
  const found = await lookup(host, { all: true }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`the addresses of ${host} can't be looked up (${error.code})`, { code: "REPLICA_SILENT" });
  });
  const addresses = found.some(({ family }) => family === 4) ? found.filter(({ family }) => family === 4) : found;
  return addresses.map(({ address, family }) => {
    const at = `${family === 6 ? `[${address}]` : address}${url.port && `:${url.port}`}`;
    return { name: addresses.length > 1 ? `${url.host} (${address})` : url.host, url: `http://${at}` };
  });
}
