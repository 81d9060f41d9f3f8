import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SIGNING_ALGORITHMS } from "@partner-connect/contract";
import type { JWK } from "jose";
import Type from "typebox";
import { Compile } from "typebox/schema";
import { KEY_STATUSES, type SigningKey, SigningKeysError } from "./signing-key.ts";

/** Serializes each key as a private JWK with `kid`, `alg`, `use` and its status and times. */
export function serializeKeys(keys: readonly SigningKey[]): string {
  const stored = keys.map(({ kid, alg, status, privateKey, ...times }) => ({
    ...privateKey.export({ format: "jwk" }),
    ...{ kid, alg, use: "sig", status },
    created_at: times.createdAt,
    activated_at: times.activatedAt,
    retiring_at: times.retiringAt,
  }));
  return `${JSON.stringify({ keys: stored }, null, 2)}\n`;
}

const Time = Type.String({ format: "date-time" });
const TimeOrNull = Type.Union([Time, Type.Null()]);

/** The schema of a key's fields besides the key material, which Node checks. */
const StoredKey = Type.Object({
  kid: Type.String({ minLength: 1 }),
  alg: Type.Enum([...SIGNING_ALGORITHMS]),
  status: Type.Enum([...KEY_STATUSES]),
  created_at: Time,
  activated_at: TimeOrNull,
  retiring_at: TimeOrNull,
});
const StoredKeys = Compile(Type.Object({ keys: Type.Array(StoredKey) }));

/** @throws {SigningKeysError} SIGNING_KEYS_MALFORMED, naming the field but no value */
export function parseKeys(text: string, path: string): SigningKey[] {
  const malformed = (what: string): never => {
    const problem = `the signing keys file ${path} is malformed: ${what}`;
    throw new SigningKeysError("SIGNING_KEYS_MALFORMED", problem);
  };
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // Node's message would quote a part of the file, which contains private keys.
    return malformed("it is not JSON");
  }
  if (!StoredKeys.Check(content)) {
    const [, [first]] = StoredKeys.Errors(content);
    return malformed(`${first?.instancePath || "it"} ${first?.message}`);
  }
  const date = (time: string | null): Date | null => (time === null ? null : new Date(time));
  const keys = content.keys.map((stored, index): SigningKey => {
    const { kid, alg, status, created_at, activated_at, retiring_at } = stored;
    const privateKey =
      privateKeyOf(stored, alg) ?? malformed(`/keys/${index} has no private key for ${alg}`);
    const times = {
      createdAt: new Date(created_at),
      activatedAt: date(activated_at),
      retiringAt: date(retiring_at),
    };
    return { kid, alg, status, privateKey, ...times };
  });
  const repeated = keys.find(
    (key, index) => keys.findIndex(({ kid }) => kid === key.kid) !== index,
  );
  return repeated ? malformed(`kid ${repeated.kid} appears twice`) : keys;
}

const CURVES = { EdDSA: "Ed25519", ES256: "P-256" } as const;

function privateKeyOf(stored: object, alg: SigningKey["alg"]): KeyObject | null {
  try {
    const key = createPrivateKey({ key: { ...stored }, format: "jwk" });
    return key.export({ format: "jwk" }).crv === CURVES[alg] ? key : null;
  } catch {
    return null;
  }
}

export interface SigningKeys {
  readonly active: SigningKey;
  /** Public JWKs (`kid`, `alg`, `use: "sig"`) of the announced, active and retiring keys. */
  readonly published: readonly JWK[];
  readonly states: readonly Pick<SigningKey, "kid" | "status" | "createdAt">[];
}

/**
 * @throws {SigningKeysError} if the text is malformed or has not exactly one active key, naming
 * `path`
 */
export function parseSigningKeys(text: string, path: string): SigningKeys {
  const keys = parseKeys(text, path);
  const [active, another] = keys.filter((key) => key.status === "active");
  if (!active) {
    const problem = `${path} has no active key: restore the file from a backup`;
    throw new SigningKeysError("NO_ACTIVE_KEY", problem);
  }
  if (another) {
    const problem = `${path} has several active keys; exactly one may sign`;
    throw new SigningKeysError("SEVERAL_ACTIVE_KEYS", problem);
  }
  return { active, published: keys.map(publicJwk), states: keys };
}

function publicJwk({ kid, alg, privateKey }: SigningKey): JWK {
  const jwk = createPublicKey(privateKey).export({ format: "jwk" }) as JWK;
  return { ...jwk, kid, alg, use: "sig" };
}
