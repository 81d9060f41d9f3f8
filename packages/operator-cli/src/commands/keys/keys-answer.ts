import type { SigningKey } from "@partner-connect/signing-keys";
import type { Answer } from "../../answer.ts";
import type { Printable, Style } from "../../screen.ts";
import { extraColumn, table } from "../../table.ts";

/** What a step of a rotation answers; without a key, as it was removed. */
export function stepAnswer(kid: string, key: SigningKey | undefined): Answer {
  if (key) return { json: keyJson(key), text: `Key ${kid} is ${key.status}.\n\n${nextStep(key)}` };
  return {
    json: { kid, status: "retired" },
    text: `Key ${kid} is removed.\n\nNext: restart the authorization servers one by one, so that they stop publishing it.`,
  };
}

export function nextStep({ kid, status }: SigningKey): string {
  if (status === "generated") return `Next: partner-connect keys announce ${kid}`;
  const restart = "Next: restart the authorization servers one by one";
  if (status === "announced") return `${restart}; 300 s after the last one: partner-connect keys activate ${kid}`;
  return `${restart}; 960 s after the last one, retire the keys that are then 'retiring' (partner-connect keys list).`;
}

const EXTRAS = ["ACTIVATED", "RETIRING", "ANNOUNCED", "CREATED"].map(extraColumn);

const STYLES: Readonly<Record<SigningKey["status"], Style>> = {
  generated: "dim",
  announced: "cyan",
  active: "green",
  retiring: "yellow",
};

export function keyTable(keys: readonly SigningKey[]): Printable {
  return table(
    ["KID", "ALG", "STATUS", ...EXTRAS],
    keys.map(({ kid, alg, status, activatedAt, retiringAt, announcedAt, createdAt }) => [
      kid,
      alg,
      { text: status, style: STYLES[status] },
      activatedAt,
      retiringAt,
      announcedAt,
      createdAt,
    ]),
    "There are no keys.",
  );
}

export function keyJson(key: SigningKey) {
  return {
    kid: key.kid,
    alg: key.alg,
    status: key.status,
    created_at: key.createdAt.toISOString(),
    announced_at: key.announcedAt?.toISOString() ?? null,
    activated_at: key.activatedAt?.toISOString() ?? null,
    retiring_at: key.retiringAt?.toISOString() ?? null,
  };
}
