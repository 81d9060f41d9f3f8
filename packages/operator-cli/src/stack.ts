import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { OperatorError } from "./errors.ts";

/** A refresh token's lifetime (guides/limits.md). */
const DEFAULT_REFRESH_TOKEN_TTL_SECONDS = 30 * 24 * 3600;

export type Stack = Awaited<ReturnType<typeof findStack>>;

/**
 * Finds the stack that DATABASE_URL names, or else the local stack in DATA_DIR. @throws
 * {OperatorError} NO_STACK; CONFIGURATION if DATABASE_URL is malformed
 */
export async function findStack(config: Config) {
  const local = await readLocalStack(config);
  if (!local && config.DATABASE_URL === undefined) throw noStackError(config, "there is no file");
  const databaseUrl = config.DATABASE_URL ?? local?.database_url ?? "";
  if (!/^postgres(?:ql)?:\/\/./.test(databaseUrl)) {
    const problem =
      "DATABASE_URL is not a URL such as postgres://owner:password@host:5432/database";
    throw new OperatorError(problem, { code: "CONFIGURATION" });
  }
  return {
    databaseUrl,
    /** The authorization server's Redis; null if not configured. */
    redisUrl: config.REDIS_URL ?? local?.redis_url ?? null,
    resourceServerRedisUrl:
      config.RESOURCE_SERVER_REDIS_URL ?? local?.resource_server_redis_url ?? null,
    /** The public base URL; null if neither PUBLIC_BASE_URL nor a local stack sets it. */
    publicBaseUrl: config.PUBLIC_BASE_URL ?? local?.base_url ?? null,
    /** The key from which links in mails are derived; null if mail is off. */
    mailKey:
      config.MAIL_FROM || local?.mail_from
        ? (config.MAIL_KEY ?? (await localMailKey(config)))
        : null,
    refreshTokenTtlSeconds:
      config.REFRESH_TOKEN_TTL_SECONDS ??
      local?.refresh_token_ttl_seconds ??
      DEFAULT_REFRESH_TOKEN_TTL_SECONDS,
  };
}

/** True if DATABASE_URL is set or there is a local stack. */
export async function isStackConfigured(config: Config): Promise<boolean> {
  return config.DATABASE_URL !== undefined || (await readLocalStack(config)) !== null;
}

/** The replicas of the local stack; none if DATABASE_URL names another stack. */
export async function localReplicas(config: Config): Promise<Replica[]> {
  const urls = (await readLocalStack(config))?.internal_urls ?? {};
  return Object.entries(urls).map(([name, url]) => ({ name, url }));
}

async function localMailKey({ dataDir }: Config): Promise<string | null> {
  return await readFile(join(dataDir, "mail-key"), "utf8").catch(() => null);
}

interface LocalStack {
  readonly base_url?: string;
  readonly database_url?: string;
  readonly redis_url?: string;
  readonly resource_server_redis_url?: string;
  readonly refresh_token_ttl_seconds?: number;
  readonly mail_from?: string;
  readonly internal_urls?: Readonly<Record<string, string>>;
}

const localStackFile = ({ dataDir }: Config): string => join(dataDir, "local-stack.json");

/**
 * Null if there is no file, or DATABASE_URL names another stack. @throws {OperatorError} NO_STACK
 * if the file is malformed
 */
async function readLocalStack(config: Config): Promise<LocalStack | null> {
  if (config.DATABASE_URL !== undefined) return null;
  try {
    return JSON.parse(await readFile(localStackFile(config), "utf8")) as LocalStack;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw noStackError(config, "this is not readable:");
  }
}

function noStackError(config: Config, reason: string): OperatorError {
  return new OperatorError(`no stack found: ${reason} ${localStackFile(config)}`, {
    code: "NO_STACK",
    hint: "start one with 'npx pnpm@12 dev', or set DATA_DIR or DATABASE_URL",
  });
}

/** A process of a service; `url` is the base URL of its internal port. */
export interface Replica {
  readonly name: string;
  readonly url: string;
}
