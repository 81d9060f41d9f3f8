import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readJson, writeJson } from "./json-file.ts";

/** DATA_DIR/secrets.json, made at the first start. */
export interface Secrets {
  /** Of the cluster's owner. */
  readonly postgres_password: string;
  /** Of the two Redis in containers. */
  readonly redis_password: string;
  readonly resource_server_redis_password: string;
  /** From which the services' database passwords derive when DATABASE_URL has no password of its own. */
  readonly role_secret: string;
}

export async function readSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, "secrets.json");
  const secrets: Secrets = {
    postgres_password: random(),
    redis_password: random(),
    resource_server_redis_password: random(),
    role_secret: random(),
    ...(await readJson<Partial<Secrets>>(file)),
  };
  await writeJson(file, secrets);
  return secrets;
}

function random(): string {
  return randomBytes(24).toString("base64url");
}
