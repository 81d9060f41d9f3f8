import { Counter, type Registry } from "prom-client";
import type { RequestFacts } from "../http/request-record.ts";

export function refusalCounts(registry: Registry): (facts: RequestFacts) => void {
  const reasons = boundedWords();
  const limits = boundedWords(20);
  const refused = new Counter({
    name: "partner_connect_refused_total",
    help: "Requests that were refused or failed, by the reason that their log record names.",
    labelNames: ["reason"],
    registers: [registry],
  });
  const limited = new Counter({
    name: "partner_connect_rate_limited_total",
    help: "Requests over a limit, by limit.",
    labelNames: ["limit"],
    registers: [registry],
  });
  return ({ reason, limit }) => {
    if (reason !== undefined) refused.inc({ reason: reasons(reason) });
    if (limit !== undefined) limited.inc({ limit: limits(limit) });
  };
}

const WORD = /^[a-z][a-z0-9_]{0,47}$/;

const OTHER = "other";

/** Values of a label. A mistake must not fill Prometheus's memory, so at most `max` words count as themselves. */
export function boundedWords(max = 60): (word: string) => string {
  const known = new Set<string>();
  return (word) => {
    if (known.has(word)) return word;
    if (known.size >= max || !WORD.test(word)) return OTHER;
    known.add(word);
    return word;
  };
}
