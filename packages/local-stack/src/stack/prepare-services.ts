import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeMonths, recordAudit } from "@partner-connect/audit";
import {
  derivedRolePassword,
  migrate,
  roleUrl,
  SchemaHistoryError,
  type ServiceRole,
  type Sql,
} from "@partner-connect/database";
import { createSigningKeysFile } from "@partner-connect/signing-keys";
import type { ReplicaCounts } from "../config.ts";
import { withDatabase } from "../postgres/connection.ts";
import { StartFailure } from "../processes/start-failure.ts";
import type { Stores } from "./open-stores.ts";
import { type ReplicasOptions, replicas } from "./replica.ts";

interface ServicesOptions extends Stores, ReplicasOptions, ReplicaCounts {
  readonly port: number;
  readonly roleSecret: string;
  /** Where the stack takes the services' mails; null: they are sent as the environment says, if at all. */
  readonly mailPort: number | null;
}

export type Services = Awaited<ReturnType<typeof prepareServices>>;

/** Makes what the services need before they start: the tables, their roles' passwords, the signing keys. */
export async function prepareServices(options: ServicesOptions) {
  const { dataDir, databaseUrl, roleSecret } = options;
  const passwords = {
    authorizationServerPassword: derivedRolePassword(roleSecret, "authorization_server"),
    resourceServerPassword: derivedRolePassword(roleSecret, "resource_server"),
    notifierPassword: derivedRolePassword(roleSecret, "notifier"),
  };
  await migrate(databaseUrl, passwords).catch((error) => {
    if (!(error instanceof SchemaHistoryError)) throw error;
    const remedy = options.env["DATABASE_URL"] ? error.hint : `use that version, or delete the folder ${dataDir}`;
    throw new StartFailure(`${error.message}; ${remedy}`);
  });
  const signingKeysFile = join(dataDir, "signing-keys.json");
  await makeMonthsAndKeys(databaseUrl, signingKeysFile, dataDir);

  const shared = sharedEnvironment(options);
  const served = options.env["SERVICES_DATABASE_URL"] || databaseUrl;
  const database = (role: ServiceRole) => roleUrl(served, role, derivedRolePassword(roleSecret, role));
  const start = (service: string, count: number, env: Readonly<Record<string, string>>, isInternal = false) =>
    replicas(service, count, { dataDir, env, apart: options.apart, isInternal });
  return {
    authorizationServers: await start("authorization-server", options.authorizationServers, {
      ...shared,
      DATABASE_URL: database("authorization_server"),
      REDIS_URL: options.redisUrl,
      SIGNING_KEYS_FILE: signingKeysFile,
    }),
    resourceServers: await start("resource-server", options.resourceServers, {
      ...shared,
      DATABASE_URL: database("resource_server"),
      REDIS_URL: options.resourceServerRedisUrl,
      // Through the gateway, so that any authorization server that is up can answer. By the address, as not every machine
      // resolves `localhost`.
      JWKS_URL: `http://127.0.0.1:${options.port}/oauth/api/jwks`,
    }),
    notifiers: await start(
      "notifier",
      options.notifiers,
      {
        ...shared,
        DATABASE_URL: database("notifier"),
        WEBHOOK_KEY_FILE: await makeWebhookKey(dataDir),
        WEBHOOK_LOOPBACK: "1",
        ...(options.mailPort !== null && { SMTP_URL: `smtp://127.0.0.1:${options.mailPort}` }),
      },
      true,
    ),
  };
}

/** Makes the file if there is none. The operator's command line looks for it there. */
async function makeWebhookKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "webhook-key");
  await writeFile(file, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  return file;
}

async function makeMonthsAndKeys(databaseUrl: string, signingKeysFile: string, dataDir: string): Promise<void> {
  const make = async (sql: Sql) => {
    await makeMonths(sql);
    const key = await createSigningKeysFile(signingKeysFile);
    const made = { action: "signing_key_generate", detail: { kid: key?.kid, alg: key?.alg } } as const;
    if (key) await recordAudit(sql, made, { name: "system" });
  };
  await withDatabase(databaseUrl, make, dataDir);
}

/** Where merchants and partners reach the stack: its own gateway, unless another one stands in front. */
export function publicBaseUrl(port: number, env: Readonly<Record<string, string>>): string {
  return env["PUBLIC_BASE_URL"] || `http://localhost:${port}`;
}

function sharedEnvironment({ env, port, mailPort }: ServicesOptions): Record<string, string> {
  // The owner's, and not for them.
  const { SERVICES_DATABASE_URL: _, ...passed } = env;
  return {
    ...(mailPort !== null && { MAIL_FROM: "mail@localhost" }),
    ...passed,
    PUBLIC_BASE_URL: publicBaseUrl(port, env),
    // The gateway's address: the services believe only the gateway when it says who the client is.
    TRUSTED_PROXIES: "127.0.0.1/32,::1/128",
    // Long enough for an answer to tell the gateway that a replica is about to close.
    DRAIN_SECONDS: env["DRAIN_SECONDS"] ?? "1",
  };
}
