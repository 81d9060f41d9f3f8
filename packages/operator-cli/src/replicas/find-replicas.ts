import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Command } from "commander";
import { collect } from "../options/values.ts";
import type { Config } from "../run/config.ts";
import { OperatorError, UsageError } from "../run/operator-error.ts";
import { localReplicas, type Replica } from "../run/stack.ts";

export interface ReplicaOptions {
  readonly replica?: readonly string[];
}

export function takesReplicas(command: Command): Command {
  return command.option(
    "--replica <url>",
    "the internal address of a replica of either service, such as http://10.0.0.7:9000; may repeat. A host name of several addresses stands for as many replicas (default: REPLICAS; a local stack's are found)",
    collect,
  );
}

/** The replicas that are named, by --replica, else by REPLICAS; else those of the local stack that the commands work on. */
export async function findReplicas(config: Config, { replica = [] }: ReplicaOptions): Promise<Replica[]> {
  const named = replica.length > 0 ? replica : config.replicas;
  if (named.length === 0) return await localReplicas(config);
  return (await Promise.all(named.map(replicasAt))).flat();
}

/** All that the host's name stands for. IPv4 alone where there is any: a process that listens there may not listen on IPv6. */
async function replicasAt(text: string): Promise<Replica[]> {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("--replica and REPLICAS take URLs such as http://10.0.0.7:9000");
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
