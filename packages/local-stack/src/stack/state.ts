import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** DATA_DIR/local-stack.json: how to reach the running stack. The operator CLI and outside checks read it. */
export interface LocalStackState {
  readonly base_url: string;
  readonly auth_url: string;
  readonly api_url: string;
  /** As the database's owner. */
  readonly database_url: string;
  readonly redis_url: string;
  readonly resource_server_redis_url: string;
  readonly authorization_server_urls: readonly string[];
  readonly resource_server_urls: readonly string[];
  /** Health, metrics and keys of each replica, by its name. */
  readonly internal_urls: Readonly<Record<string, string>>;
  /** The sample partner app, which comes with the demo data. */
  readonly sample_partner_url?: string;
  /** REFRESH_TOKEN_TTL_SECONDS, where it was set: by it `connection list` tells what has expired. */
  readonly refresh_token_ttl_seconds?: number;
  /** Of a sandbox: where its clock is moved, and with which bearer token. */
  readonly sandbox?: { readonly url: string; readonly token: string };
  readonly processes: readonly ProcessState[];
}

export interface ProcessState {
  readonly name: string;
  readonly pid: number;
  readonly url?: string;
}

export function stateFile(dataDir: string): string {
  return join(dataDir, "local-stack.json");
}

/** Readers see the old file or the new one, never a part. */
export async function writeState(dataDir: string, state: LocalStackState): Promise<void> {
  const file = stateFile(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
