import type { SigningKey } from "@partner-connect/signing-keys";
import { type Answer, table } from "../answer.ts";
import type { Printable } from "../screen.ts";

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

export function keyTable(keys: readonly SigningKey[]): Printable {
  const time = (date: Date | null) => date?.toISOString() ?? "-";
  return table(
    ["KID", "ALG", "STATUS", "CREATED", "ANNOUNCED", "ACTIVATED", "RETIRING"],
    keys.map((key) => [
      key.kid,
      key.alg,
      key.status,
      time(key.createdAt),
      time(key.announcedAt),
      time(key.activatedAt),
      time(key.retiringAt),
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
