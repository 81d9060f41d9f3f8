import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalStack, type LocalStackState, startLocalStack } from "@partner-connect/local-stack";
import { inject } from "vitest";

/** What a test knows of a stack: its addresses, and where its files are. */
export interface RunningStack
  extends Pick<LocalStackState, "base_url" | "auth_url" | "api_url" | "database_url" | "redis_url"> {
  readonly dataDir: string;
}

/** A stack of a test file's own, which it stops. */
export interface OwnStack extends RunningStack {
  readonly local: LocalStack;
  stop(): Promise<void>;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly mainStack: RunningStack;
  }
}

/** The stack that all files of a run share; its rate limits are out of the way. */
export function mainStack(): RunningStack {
  return inject("mainStack");
}

/** Limits that no test reaches. */
export const NO_LIMITS: Readonly<Record<string, string>> = {
  AUTHORIZE_RATE_LIMIT: "1000000",
  TOKEN_RATE_LIMIT: "1000000",
  API_RATE_LIMIT: "1000000",
};

/** A new, empty stack in a folder of its own, which goes with it. `env`: lifetimes, limits, numbers of replicas. */
export async function startOwnStack(env: Readonly<Record<string, string>> = {}): Promise<OwnStack> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-stack-"));
  const local = await startLocalStack({ dataDir, port: 0, env });
  const { base_url, auth_url, api_url, database_url, redis_url } = local.state;
  return {
    base_url,
    auth_url,
    api_url,
    database_url,
    redis_url,
    dataDir,
    local,
    async stop() {
      await local.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
