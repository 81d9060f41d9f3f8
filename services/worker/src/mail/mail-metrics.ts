import type { Sql } from "@partner-connect/database";
import { countMails, type MailCounts } from "@partner-connect/mail";
import { addGauge, Counter, type Registry } from "@partner-connect/service-runtime";
import type { MailOutcome } from "./send-mail.ts";

/** What came of mails in this process, and what waits; the second is the same in all processes. */
export function mailMetrics(registry: Registry, sql: Sql) {
  const registers = [registry];
  const mails = new Counter({
    name: "partner_connect_mails_total",
    help: "Attempts to send a mail. given_up: refused for good, or tried for three days; dropped: of no use any more, or no server is set.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["sent", "failed", "given_up", "dropped"]) mails.inc({ outcome }, 0);
  let reading: Promise<MailCounts | null> | null = null;
  const counts = () => {
    reading ??= countMails(sql)
      .catch(() => null)
      .finally(() => (reading = null));
    return reading;
  };
  const gauges = [
    ["waiting", "Mails that are neither sent nor given up", "waiting"],
    ["oldest_seconds", "Age of the oldest mail that waits; 0 where none waits", "oldestSeconds"],
    ["given_up", "Mails that were given up, and are kept for 30 days", "failed"],
  ] as const;
  for (const [name, help, key] of gauges) {
    const gauge = { name: `partner_connect_mails_${name}`, help: `${help}. Missing where it can't be read.` };
    addGauge(registry, gauge, async () => (await counts())?.[key] ?? null);
  }
  return { count: (outcome: MailOutcome) => mails.inc({ outcome }) };
}
