import { type KeyObject, sign } from "node:crypto";
import { ACCESS_TOKEN_TYPE, type SigningAlgorithm } from "@partner-connect/contract";
import type { Logger } from "@partner-connect/service-runtime";
import {
  JWKS_MAX_AGE_SECONDS,
  KeyTimes,
  type PublishingReport,
  type SigningKeys,
  watchSigningKeys,
} from "@partner-connect/signing-keys";

/** Makes signatures of a JWS (RFC 7515, RFC 8037). */
interface Signer {
  readonly alg: SigningAlgorithm;
  readonly sign: (input: Buffer) => Buffer;
}

export function createSigner(key: { readonly alg: SigningAlgorithm; readonly privateKey: KeyObject }): Signer {
  const { alg, privateKey } = key;
  return alg === "EdDSA"
    ? { alg, sign: (input) => sign(null, input, privateKey) }
    : { alg, sign: (input) => sign("sha256", input, { key: privateKey, dsaEncoding: "ieee-p1363" }) };
}

/** The keys of one reading of the keys file, ready for use. */
interface PreparedKeys {
  /** Public JWKs of the announced, the active and the retiring keys. */
  readonly published: SigningKeys["published"];
  readonly states: SigningKeys["states"];
  readonly active: ActiveKey;
}

interface ActiveKey {
  readonly kid: string;
  readonly signer: Signer;
  /** Of the tokens that it signs, encoded. */
  readonly header: string;
}

export interface LiveKeys {
  readonly current: PreparedKeys;
}

export async function prepareKeys({ active, published, states }: SigningKeys): Promise<PreparedKeys> {
  const { kid } = active;
  const signer = createSigner(active);
  const header = Buffer.from(JSON.stringify({ alg: signer.alg, typ: ACCESS_TOKEN_TYPE, kid })).toString("base64url");
  return { published, states, active: { kid, signer, header } };
}

export interface LiveSigningKeys extends LiveKeys {
  /** What `/keys` tells on the internal port. */
  readonly report: () => PublishingReport;
  stop(): void;
}

interface LiveSigningKeysOptions {
  readonly signingKeysFile: string;
  readonly accessTokenTtl: number;
}

/**
 * The keys of the file, as it is now. One that can't be used is logged once, and the last good keys stay; `/readyz` says nothing of it, as
 * all replicas read the same file. @throws {SigningKeysError} if the file can't be used at the start
 */
export async function liveSigningKeys(
  { signingKeysFile, accessTokenTtl }: LiveSigningKeysOptions,
  logger: Logger,
): Promise<LiveSigningKeys> {
  const times = new KeyTimes();
  const use = ({ published, active: { kid, signer } }: PreparedKeys, message: string): void => {
    times.note(published, kid);
    const kids = published.map((key) => key.kid);
    logger.info({ alg: signer.alg, active: kid, published: kids }, message);
  };
  const keys = await watchSigningKeys(signingKeysFile, {
    prepare: prepareKeys,
    onChange: (prepared) => use(prepared, "signing keys changed"),
    onProblem: (err) => logger.error({ err }, "the signing keys file can't be used; the last good keys stay in use"),
    onRecovery: () => logger.info("the signing keys file can be used again"),
  });
  use(keys.current, "signing access tokens");
  return {
    get current() {
      return keys.current;
    },
    report: () => ({
      ...times.report(),
      keys_file_read_at: keys.readAt.toISOString(),
      keys_file_problem: keys.problem?.message ?? null,
      jwks_max_age_seconds: JWKS_MAX_AGE_SECONDS,
      access_token_ttl_seconds: accessTokenTtl,
    }),
    stop: keys.stop,
  };
}
