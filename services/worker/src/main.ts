import { parseWebhookKeys } from "@partner-connect/connections/webhooks";
import { connectDatabase, requireWritable, schemaCheck } from "@partner-connect/database";
import { runService } from "@partner-connect/service-runtime";
import { readConfig } from "./config.ts";
import { startJobs } from "./jobs.ts";
import { mailKind } from "./mail/send-mail.ts";
import { smtpSender } from "./mail/smtp.ts";
import { startRelay } from "./relay-loop.ts";
import { webhookKinds, webhookMetrics } from "./webhooks/send-webhooks.ts";

const NAME = "worker";

/**
 * Database connections for the relay of change notes into feeds (its lock, its statements, the count
 * of waiting notes) and for health checks.
 */
const CONNECTIONS = 3;

/** Separate connections for webhooks and mails, so that a thousand of them don't delay a round. */
const SENDING_CONNECTIONS = 2;

await runService(NAME, readConfig, async ({ config, logger, metrics, meter }) => {
  const options = { name: NAME, service: "worker" as const, observer: meter("postgres") };
  const sql = connectDatabase(config.env.DATABASE_URL, { ...options, connections: CONNECTIONS });

  const relay = startRelay({ sql, logger, registry: metrics.registry });
  const { key, allowLoopback } = config.webhooks;
  const sendingSql = connectDatabase(config.env.DATABASE_URL, {
    ...options,
    connections: SENDING_CONNECTIONS,
  });
  webhookMetrics(metrics.registry, sendingSql);
  if (key === undefined) logger.warn("no webhooks are sent: WEBHOOK_KEY_FILE is not set");
  const webhooks =
    key === undefined
      ? []
      : webhookKinds({
          sql: sendingSql,
          keys: parseWebhookKeys(key),
          egress: { allowLoopback },
          logger,
        });
  const { mail } = config;
  if (mail === null) logger.info("mails are dropped, as SMTP_URL is not set");
  const server = mail && { send: smtpSender(mail), bases: mail.bases };
  const kinds = [mailKind(sendingSql, server, logger), ...webhooks];
  const jobs = startJobs({
    sql: sendingSql,
    schema: "worker_jobs",
    kinds,
    logger,
    registry: metrics.registry,
  });

  return {
    checks: { schema: schemaCheck(sql), postgres: () => requireWritable(sql, "oauth.changes") },
    async close() {
      await Promise.all([relay.close(), jobs.close()]);
      await Promise.all([sql, sendingSql].map((pool) => pool.end({ timeout: 2 })));
    },
  };
});
