import { userInfo } from "node:os";
import { resolve } from "node:path";
import { readEnvironment, type Variables } from "@partner-connect/service-runtime/environment";

/** What the environment says. The local stack's own file answers for what it leaves open: see stack.ts. */
export interface Config {
  /** DATABASE_URL, as the owner of the schemas. */
  readonly databaseUrl: string | undefined;
  /** DATA_DIR, where a local stack keeps its data (default `.data`). */
  readonly dataDir: string;
  /** SIGNING_KEYS_FILE (default: signing-keys.json in DATA_DIR). */
  readonly signingKeysFile: string;
  /** ACCESS_TOKEN_TTL_SECONDS and REFRESH_TOKEN_TTL_SECONDS, as the services have them. */
  readonly accessTokenTtlSeconds: number | undefined;
  readonly refreshTokenTtlSeconds: number | undefined;
  /** AUTHORIZATION_SERVER_DB_PASSWORD and RESOURCE_SERVER_DB_PASSWORD: `migrate` gives them to the services' roles. */
  readonly authorizationServerPassword: string | undefined;
  readonly resourceServerPassword: string | undefined;
  /** PARTNER_CONNECT_OPERATOR, or USER: whom the audit log names. */
  readonly operator: string;
  /** What file arguments are relative to: where the operator stands, also when pnpm has moved elsewhere. */
  readonly workingDirectory: string;
}

/** @throws {ConfigurationError} naming every variable that is malformed */
export function readConfig(variables: Variables = process.env): Config {
  return readEnvironment(variables, (env) => {
    const text = (name: string) => (env.isSet(name) ? env.string(name) : undefined);
    const seconds = (name: string) => (env.isSet(name) ? env.seconds(name, { min: 1 }) : undefined);
    const dataDir = resolve(env.string("DATA_DIR", ".data"));
    return {
      databaseUrl: text("DATABASE_URL"),
      dataDir,
      signingKeysFile: resolve(env.string("SIGNING_KEYS_FILE", `${dataDir}/signing-keys.json`)),
      accessTokenTtlSeconds: seconds("ACCESS_TOKEN_TTL_SECONDS"),
      refreshTokenTtlSeconds: seconds("REFRESH_TOKEN_TTL_SECONDS"),
      authorizationServerPassword: text("AUTHORIZATION_SERVER_DB_PASSWORD"),
      resourceServerPassword: text("RESOURCE_SERVER_DB_PASSWORD"),
      operator: text("PARTNER_CONNECT_OPERATOR") ?? text("USER") ?? userName(),
      // INIT_CWD is where pnpm was called; inherited from an outer script it would be somebody else's.
      workingDirectory: (text("npm_lifecycle_event") === "partner-connect" && text("INIT_CWD")) || process.cwd(),
    };
  });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
