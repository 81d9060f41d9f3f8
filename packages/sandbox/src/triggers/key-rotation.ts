import { setTimeout as sleep } from "node:timers/promises";
import { type Actor, type AuditAction, recordAudit } from "@partner-connect/audit";
import type { LocalStack } from "@partner-connect/local-stack";
import { activateKey, announceKey, changeKeys, generateKey, type SigningKey } from "@partner-connect/signing-keys";
import type { SandboxWorld } from "./sandbox-world.ts";
import { type Trigger, TriggerError } from "./trigger.ts";

export const KEY_ROTATION: Trigger = {
  name: "key-rotation",
  does: "announces a new signing key, restarts the authorization servers one by one, activates it, and restarts them again",
  partner: "new access tokens have another kid; those that you have are good until they expire. Nothing to do",
  options: [],
  async pull(world, _options, actor) {
    const key = await generateKey("EdDSA", world.clock.now());
    const change = (action: AuditAction, next: (keys: readonly SigningKey[]) => SigningKey[]) =>
      changeRecorded(world, actor, key, action, next);
    await change("signing_key_generate", (keys) => [...keys, key]);
    await change("signing_key_announce", (keys) => announceKey(keys, key.kid, world.clock.now()));
    await restartAuthorizationServers(world.stack);
    // Resource servers ask for a key that they don't know, so none of them has to wait until its copy of the keys is old.
    await change("signing_key_activate", (keys) => activateKey(keys, key.kid, world.clock.now(), { force: true }));
    await restartAuthorizationServers(world.stack);
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

const LIMIT_MS = 30_000;

/** They read the keys when they start. The supervisor starts each one again when it has ended. */
async function restartAuthorizationServers(stack: LocalStack): Promise<void> {
  const running = stack.state.processes.filter(({ name }) => name.startsWith("authorization-server-"));
  for (const { name, pid } of running) {
    process.kill(pid, "SIGTERM");
    const deadline = performance.now() + LIMIT_MS;
    while (!(await hasRestarted(stack, name, pid))) {
      if (performance.now() > deadline) throw new TriggerError(`${name} did not start again within 30 s`);
      await sleep(50);
    }
  }
}

async function hasRestarted(stack: LocalStack, name: string, formerPid: number): Promise<boolean> {
  const now = stack.state.processes.find((process) => process.name === name);
  if (!now || now.pid === formerPid) return false;
  const answer = await fetch(`${stack.internalUrls[name]}/readyz`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.ok === true;
}
