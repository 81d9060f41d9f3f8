import { redisUrl } from "../redis/cluster/cluster-address.ts";
import { TRACING_SETTINGS } from "../tracing/tracing.ts";
import {
  commaSeparated,
  integer,
  optional,
  parsed,
  port,
  secret,
  secretUrl,
  storeUrl,
  text,
} from "./variable-forms.ts";

/** Every service has these. */
export const SERVICE_SETTINGS = {
  HOST: text("0.0.0.0"),
  /** Health and metrics. */
  INTERNAL_PORT: port(),
  LOG_LEVEL: text("info"),
  /** The commit that runs, for the metrics; the image sets it. */
  REVISION: text("unknown"),
  DATABASE_URL: secretUrl(storeUrl),
  DATABASE_PASSWORD: optional(secret),
  ...TRACING_SETTINGS,
};

/** Every service that the gateway calls has these as well. */
export const SERVER_SETTINGS = {
  ...SERVICE_SETTINGS,
  PORT: port(),
  /** CIDR list of the gateway's addresses. */
  TRUSTED_PROXIES: parsed(commaSeparated, ""),
  /** Pause between 'not ready' and the close. */
  DRAIN_SECONDS: integer(5),
  REDIS_URL: secretUrl(redisUrl),
  REDIS_PASSWORD: optional(secret),
};
