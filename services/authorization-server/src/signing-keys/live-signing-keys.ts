import { sign } from "node:crypto";
import { ACCESS_TOKEN_TYPE } from "@partner-connect/contract";
import { addGauge, type Logger, type Registry } from "@partner-connect/service-runtime";
import { type SigningKeys, watchSigningKeys } from "@partner-connect/signing-keys";
import type { Config } from "../config.ts";

/** The algorithm and the function that sign a JWS (RFC 7515, RFC 8037). */
function createSigner({ alg, privateKey }: Pick<SigningKeys["active"], "alg" | "privateKey">) {
  const key =
    alg === "EdDSA" ? privateKey : { key: privateKey, dsaEncoding: "ieee-p1363" as const };
  return {
    alg,
    sign: (input: Buffer): Buffer => sign(alg === "EdDSA" ? null : "sha256", input, key),
  };
}

type PreparedKeys = ReturnType<typeof prepareKeys>;

/**
 * Prepares the keys read from the file. `header`: the encoded JWS header of tokens that are signed
 * with the active key.
 */
export function prepareKeys({ active, published, states }: SigningKeys) {
  const { kid } = active;
  const signer = createSigner(active);
  const header = Buffer.from(
    JSON.stringify({ alg: signer.alg, typ: ACCESS_TOKEN_TYPE, kid }),
  ).toString("base64url");
  return { published, states, active: { kid, signer, header } };
}

/** The keys in use. When the file changes, all of `current` changes at once. */
export type LiveSigningKeys = Awaited<ReturnType<typeof liveSigningKeys>>;

/**
 * Reads the file's keys, and replaces `current` when the file changes. An unusable file is logged
 * once, and the last good keys stay in use. `/readyz` is not affected, because all replicas read
 * the same file. @throws {SigningKeysError} if the file can't be used at the start
 */
export async function liveSigningKeys(
  { signingKeysFile }: Pick<Config["tokens"], "signingKeysFile">,
  logger: Logger,
) {
  const logAndPrepare = (keys: SigningKeys, message: string): PreparedKeys => {
    const { alg, kid: active } = keys.active;
    logger.info({ alg, active, published: keys.published.map(({ kid }) => kid) }, message);
    return prepareKeys(keys);
  };
  const file = await watchSigningKeys(signingKeysFile, {
    onChange(keys) {
      current = logAndPrepare(keys, "signing keys changed");
    },
    onProblem: (err) =>
      logger.error({ err }, "the signing keys file can't be used; the last good keys stay in use"),
    onRecovery: () => logger.info("the signing keys file can be used again"),
  });
  let current = logAndPrepare(file.current, "signing access tokens");
  return {
    get current(): PreparedKeys {
      return current;
    },
    /**
     * The body of `/keys` on the internal port, for `doctor`: key ids, and the file's problem if it
     * has one, in which case the last good keys are in use.
     */
    report: () => ({
      published: current.published.map(({ kid }) => kid),
      active: current.active.kid,
      keys_file_problem: file.problem?.message ?? null,
    }),
    stop: file.stop,
  };
}

export function addSigningKeyMetrics(registry: Registry, keys: LiveSigningKeys): void {
  addGauge(registry, () => keys.current.states.map(({ kid, status }) => [{ kid, status }, 1]), {
    name: "partner_connect_signing_key_info",
    help: "1 for each published key, with its status: announced, active or retiring.",
    labelNames: ["kid", "status"],
  });
  const created = () =>
    keys.current.states.map(({ kid, createdAt }) => [{ kid }, createdAt.getTime() / 1000] as const);
  addGauge(registry, created, {
    name: "partner_connect_signing_key_created_timestamp_seconds",
    help: "When a published key was created.",
    labelNames: ["kid"],
  });
  addGauge(registry, () => (keys.report().keys_file_problem === null ? 1 : 0), {
    name: "partner_connect_signing_keys_file_usable",
    help: "1 if the signing keys file can be used. 0 if it can't, and the last good keys stay in use.",
  });
}
