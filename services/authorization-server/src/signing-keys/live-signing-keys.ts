import type { Logger } from "@partner-connect/service-runtime";
import { JWKS_MAX_AGE_SECONDS, KeyTimes, type PublishingReport, watchSigningKeys } from "@partner-connect/signing-keys";
import { type LiveKeys, type PreparedKeys, prepareKeys } from "./prepared-keys.ts";

export interface LiveSigningKeys extends LiveKeys {
  /** What `/keys` tells on the internal port. */
  readonly report: () => PublishingReport;
  stop(): void;
}

export interface LiveSigningKeysOptions {
  readonly signingKeysFile: string;
  readonly accessTokenTtl: number;
}

/**
 * The keys of the file, as the file is now. A file that can't be used is logged once, and the last good keys stay in use. This is no
 * matter of `/readyz`: all replicas read the same file, so all of them would be passed over.
 * @throws {SigningKeysError} if the file can't be used at the start
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
