import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "@partner-connect/contract";
import type { JWK } from "jose";
import Type from "typebox";
import { Compile } from "typebox/schema";
import { KEY_STATUSES, type SigningKey, SigningKeysError } from "./signing-key.ts";

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

const StoredTime = Type.String({ format: "date-time" });

const StoredKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String({ minLength: 1 }),
      alg: Type.Enum([...SIGNING_ALGORITHMS]),
      status: Type.Enum([...KEY_STATUSES]),
      ...{ kty: Type.String(), crv: Type.String(), x: Type.String(), d: Type.String() },
      y: Type.Optional(Type.String()),
      created_at: StoredTime,
      activated_at: Type.Union([StoredTime, Type.Null()]),
      retiring_at: Type.Union([StoredTime, Type.Null()]),
    }),
  ),
});
const schema = Compile(StoredKeys);

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
  if (!schema.Check(content)) {
    const [, errors] = schema.Errors(content);
    return malformed(errors.map(({ instancePath, message }) => `${instancePath || "it"} ${message}`).join(", "));
  }
  const keys = content.keys.map(({ kid, alg, status, kty, crv, x, y, d, ...times }, index): SigningKey => {
    const privateJwk = { kty, crv, x, ...(y !== undefined && { y }), d };
    if (algorithmOf(privateJwk) !== alg) return malformed(`/keys/${index} has no private key for ${alg}`);
    const [createdAt, activatedAt, retiringAt] = [times.created_at, times.activated_at, times.retiring_at];
    return {
      ...{ kid, alg, status, privateJwk, createdAt: new Date(createdAt) },
      activatedAt: activatedAt === null ? null : new Date(activatedAt),
      retiringAt: retiringAt === null ? null : new Date(retiringAt),
    };
  });
  const repeated = keys.find((key, index) => keys.findIndex(({ kid }) => kid === key.kid) !== index);
  return repeated ? malformed(`kid ${repeated.kid} appears twice`) : keys;
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
