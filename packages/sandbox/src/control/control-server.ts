import { createHash, timingSafeEqual } from "node:crypto";
import type { Actor } from "@partner-connect/audit";
import Fastify, { type FastifyInstance } from "fastify";
import { parseSpan } from "../clock/duration.ts";
import type { SandboxClock } from "../clock/sandbox-clock.ts";
import type { SandboxWorld } from "../triggers/sandbox-world.ts";
import { TriggerError } from "../triggers/trigger.ts";
import { TRIGGERS } from "../triggers/triggers.ts";
import { Refusal, sendError } from "./refusal.ts";

export interface ControlOptions {
  /** Asked for as a bearer token: a page in a browser on this machine, which may call us, doesn't know it. */
  readonly token: string;
  readonly clock: SandboxClock;
  /** Null while the stack is starting. */
  readonly world: () => SandboxWorld | null;
}

/** Where the command line, and a partner's tests in any language, move the clock and pull triggers. On this machine alone. */
export async function startControlServer(options: ControlOptions) {
  const app = Fastify({ forceCloseConnections: true });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new Refusal(404, "NOT_FOUND", "there is GET /now, POST /advance, GET /triggers and POST /triggers/NAME");
  });
  requireToken(app, options.token);
  addRoutes(app, options);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, close: () => app.close() };
}

function requireToken(app: FastifyInstance, token: string): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${token}`);
  app.addHook("onRequest", async ({ headers }) => {
    if (!timingSafeEqual(digest(headers.authorization ?? ""), expected)) {
      throw new Refusal(401, "UNAUTHORIZED", "the bearer token is 'sandbox.token' of DATA_DIR/local-stack.json");
    }
  });
}

function addRoutes(app: FastifyInstance, { clock, world }: ControlOptions): void {
  const now = () => ({ now: clock.now().toISOString() });
  app.get("/now", async () => now());

  app.post("/advance", async ({ body }) => {
    const { duration } = optionsOf(body, ["duration"]);
    const span = parseSpan(duration ?? "");
    if (span === null) throw new Refusal(400, "INVALID_DURATION", unclear(duration ?? ""));
    await clock.advance(span);
    return now();
  });

  app.get("/triggers", async () =>
    TRIGGERS.map(({ name, does, partner, options }) => ({ name, does, partner, options })),
  );

  app.post<{ Params: { name: string } }>("/triggers/:name", async ({ params, body }) => {
    const trigger = TRIGGERS.find(({ name }) => name === params.name);
    if (!trigger) {
      throw new Refusal(404, "UNKNOWN_TRIGGER", `there is no trigger ${JSON.stringify(params.name)}`);
    }
    const running = world();
    if (!running) throw new TriggerError("the sandbox is starting: try again in a moment");
    const { operator, ...options } = optionsOf(body, ["operator", ...trigger.options]);
    const did = await trigger.pull(running, options, actorOf(operator));
    return { ...now(), trigger: trigger.name, ...did };
  });
}

function unclear(text: string): string {
  return /^-/.test(text)
    ? "time only goes forward"
    : `${JSON.stringify(text)} is not a time such as 15m, 2h, 31d, 1d12h or PT15M`;
}

/**
 * The body's members: only these, and all of them text.
 * @throws {Refusal} for any other
 */
function optionsOf<Name extends string>(body: unknown, names: readonly Name[]): { [name in Name]?: string } {
  const entries = Object.entries(body ?? {});
  for (const [name, value] of entries) {
    if (!names.includes(name as Name)) throw new Refusal(400, "UNKNOWN_OPTION", `--${name} is no option of this`);
    if (typeof value !== "string") throw new Refusal(400, "INVALID_OPTION", `${name} is not a text`);
  }
  return Object.fromEntries(entries) as { [name in Name]?: string };
}

/** In the audit log. */
function actorOf(operator = "sandbox"): Actor {
  return { name: `operator:${operator}` };
}
