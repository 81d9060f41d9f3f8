import { randomBytes } from "node:crypto";
import { type LocalStack, type LocalStackOptions, startLocalStack } from "@partner-connect/local-stack";
import { SandboxClock } from "./clock/sandbox-clock.ts";
import { startControlServer } from "./control/control-server.ts";
import { sandboxWorld } from "./triggers/trigger.ts";

/**
 * The local stack with a clock that can be moved, and triggers: `sandbox.url` and `sandbox.token` of DATA_DIR/local-stack.json.
 * @throws {StartFailure} as the local stack's, and where stores or DATA_DIR are not a sandbox's
 */
export async function startSandbox(options: LocalStackOptions): Promise<LocalStack> {
  const clock = new SandboxClock();
  let stack: LocalStack | undefined;
  const stopping = new AbortController();
  const token = randomBytes(24).toString("base64url");
  const control = await startControlServer({
    token,
    clock,
    world: () => (stack ? sandboxWorld(stack, options, clock, stopping.signal) : null),
  });
  const close = async (): Promise<void> => {
    stopping.abort();
    await control.close();
    await stack?.stop();
    await clock.close();
  };
  try {
    const started = await startLocalStack({
      ...options,
      clock: {
        nodeFlags: clock.nodeFlags,
        address: { url: control.url, token },
        open: (stores) => clock.open(stores),
        follow: (name, child) => clock.follow(name, child),
      },
    });
    stack = started;
    return {
      internalUrls: started.internalUrls,
      demo: started.demo,
      get state() {
        return started.state;
      },
      stop: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
