import { setTimeout as sleep } from "node:timers/promises";
import { type Actor, type AuditAction, recordAudit } from "@partner-connect/audit";
import type { LocalStack } from "@partner-connect/local-stack";
import {
  activateKey,
  announceKey,
  changeKeys,
  generateKey,
  type PublishingReport,
  type SigningKey,
} from "@partner-connect/signing-keys";
import { type SandboxWorld, type Trigger, TriggerError } from "./trigger.ts";

export const KEY_ROTATION: Trigger = {
  name: "key-rotation",
  does: "announces a new signing key, and activates it once every authorization server publishes it",
  partner: "new access tokens have another kid; those that you have are good until they expire. Nothing to do",
  options: [],
  async pull(world, _options, actor) {
    const key = await generateKey("EdDSA", world.clock.now());
    const change = (action: AuditAction, next: (keys: readonly SigningKey[]) => SigningKey[]) =>
      changeRecorded(world, actor, key, action, next);
    await change("signing_key_generate", (keys) => [...keys, key]);
    await change("signing_key_announce", (keys) => announceKey(keys, key.kid, world.clock.now()));
    await untilEach(world.stack, ({ published }) => published.includes(key.kid));
    // Resource servers ask for a key that they don't know, so none of them has to wait until its copy of the keys is old.
    await change("signing_key_activate", (keys) => activateKey(keys, key.kid, world.clock.now(), { force: true }));
    await untilEach(world.stack, ({ active }) => active === key.kid);
    return { kid: key.kid };
  },
};

async function changeRecorded(
  world: SandboxWorld,
  actor: Actor,
  { kid, alg }: SigningKey,
  action: AuditAction,
  next: (keys: readonly SigningKey[]) => SigningKey[],
): Promise<void> {
  await changeKeys(world.signingKeysFile, async (keys) => next(keys));
  await world.withDatabase((sql) => recordAudit(sql, { action, detail: { kid, alg } }, actor));
}

const LIMIT_MS = 10_000;

/** Every authorization server notices by itself that the file has changed. */
async function untilEach(stack: LocalStack, holds: (report: PublishingReport) => boolean): Promise<void> {
  const names = Object.keys(stack.internalUrls).filter((name) => name.startsWith("authorization-server-"));
  const deadline = performance.now() + LIMIT_MS;
  for (const name of names) {
    while (!(await asked(`${stack.internalUrls[name]}/keys`, holds))) {
      if (performance.now() > deadline) throw new TriggerError(`${name} did not notice the keys within 10 s`);
      await sleep(50);
    }
  }
}

async function asked(url: string, holds: (report: PublishingReport) => boolean): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok === true && holds((await answer.json()) as PublishingReport);
}
