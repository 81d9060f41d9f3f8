import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "@partner-connect/contract";
import type { JWK } from "jose";
import { KEY_STATUSES, type KeyStatus, type SigningKey, SigningKeysError } from "./signing-key.ts";

/** Serializes each key as a private JWK with `kid`, `alg`, `use` and its status and times. */
export function serializeKeys(keys: readonly SigningKey[]): string {
  const stored = keys.map((key) => ({
    ...key.privateJwk,
    kid: key.kid,
    alg: key.alg,
    use: "sig",
    status: key.status,
    created_at: key.createdAt.toISOString(),
    activated_at: key.activatedAt?.toISOString() ?? null,
    retiring_at: key.retiringAt?.toISOString() ?? null,
  }));
  return `${JSON.stringify({ keys: stored }, null, 2)}\n`;
}

/** @throws {SigningKeysError} SIGNING_KEYS_MALFORMED, naming the field but no value */
export function parseKeys(text: string, path: string): SigningKey[] {
  const malformed = (what: string): never => {
    throw new SigningKeysError("SIGNING_KEYS_MALFORMED", `the signing keys file ${path} is malformed: ${what}`);
  };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // Node's message would quote a part of the file, which contains private keys.
    return malformed("it is not JSON");
  }
  const list = (content as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(list)) return malformed('it has no "keys" array');
  const keys = list.map((stored: unknown, index) =>
    isObject(stored)
      ? parseKey(stored, (what) => malformed(`keys[${index}] ${what}`))
      : malformed(`keys[${index}] is not an object`),
  );
  const repeated = keys.find((key, index) => keys.findIndex(({ kid }) => kid === key.kid) !== index);
  return repeated ? malformed(`kid ${repeated.kid} appears twice`) : keys;
}

function parseKey(stored: Record<string, unknown>, malformed: (what: string) => never): SigningKey {
  const { kid, alg, status, kty, crv, x, y, d } = stored;
  if (typeof kid !== "string" || kid === "") return malformed("has no kid");
  if (!SIGNING_ALGORITHMS.includes(alg as SigningAlgorithm)) return malformed("has an alg other than EdDSA or ES256");
  if (!KEY_STATUSES.includes(status as KeyStatus))
    return malformed(`has a status other than ${KEY_STATUSES.join(", ")}`);
  const privateJwk = { kty, crv, x, ...(y !== undefined && { y }), d } as JWK;
  if (algorithmOf(privateJwk) !== alg) return malformed(`holds no private key for ${alg}`);
  const date = (name: string): Date | null => {
    const value = stored[name];
    if (value === null || value === undefined) return null;
    const parsed = new Date(typeof value === "string" ? value : Number.NaN);
    return Number.isNaN(parsed.getTime()) ? malformed(`has a ${name} that is no timestamp`) : parsed;
  };
  return {
    kid,
    alg: alg as SigningAlgorithm,
    status: status as KeyStatus,
    privateJwk,
    createdAt: date("created_at") ?? malformed("has no created_at"),
    activatedAt: date("activated_at"),
    retiringAt: date("retiring_at"),
  };
}

function algorithmOf(jwk: JWK): SigningAlgorithm | null {
  try {
    const key = createPrivateKey({ key: jwk as JsonWebKey, format: "jwk" });
    if (key.asymmetricKeyType === "ed25519") return "EdDSA";
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? "ES256" : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface SigningKeys {
  readonly active: {
    readonly kid: string;
    readonly alg: SigningAlgorithm;
    readonly privateKey: KeyObject;
    /** Includes `kid`, `alg` and `use`. */
    readonly privateJwk: JWK;
  };
  /** Public JWKs (`kid`, `alg`, `use: "sig"`) of the announced, active and retiring keys. */
  readonly published: readonly JWK[];
  readonly states: readonly KeyState[];
}

export type KeyState = Pick<SigningKey, "kid" | "status" | "createdAt">;

/** @throws {SigningKeysError} if the text is malformed or has not exactly one active key, naming `path` */
export function parseSigningKeys(text: string, path: string): SigningKeys {
  const keys = parseKeys(text, path);
  const [active, another] = keys.filter((key) => key.status === "active");
  if (!active) {
    throw new SigningKeysError("NO_ACTIVE_KEY", `${path} has no active key: restore the file from a backup`);
  }
  if (another) {
    throw new SigningKeysError("SEVERAL_ACTIVE_KEYS", `${path} has several active keys; exactly one may sign`);
  }
  return {
    active: {
      kid: active.kid,
      alg: active.alg,
      privateKey: privateKeyOf(active),
      privateJwk: { ...active.privateJwk, kid: active.kid, alg: active.alg, use: "sig" },
    },
    published: keys.map(publicJwk),
    states: keys.map(({ kid, status, createdAt }) => ({ kid, status, createdAt })),
  };
}

/** Derived from the private key, not read from the file, so that the two always match. */
function publicJwk(key: SigningKey): JWK {
  const jwk = createPublicKey(privateKeyOf(key)).export({ format: "jwk" }) as JWK;
  return { ...jwk, kid: key.kid, alg: key.alg, use: "sig" };
}

function privateKeyOf(key: SigningKey): KeyObject {
  return createPrivateKey({ key: key.privateJwk as JsonWebKey, format: "jwk" });
}
