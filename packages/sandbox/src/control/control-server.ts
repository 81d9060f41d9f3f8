import { createHash, timingSafeEqual } from "node:crypto";
import { isDatabaseFault } from "@partner-connect/database";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { SandboxClock } from "../clock/sandbox-clock.ts";
import { type SandboxWorld, TriggerError } from "../triggers/trigger.ts";
import { TRIGGERS } from "../triggers/triggers.ts";

interface ControlOptions {
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
    const { operator = "sandbox", ...options } = optionsOf(body, ["operator", ...trigger.options]);
    const did = await trigger.pull(running, options, { name: `operator:${operator}` });
    return { ...now(), trigger: trigger.name, ...did };
  });
}

function unclear(text: string): string {
  return /^-/.test(text)
    ? "time only goes forward"
    : `${JSON.stringify(text)} is not a time such as 15m, 2h, 31d, 1d12h or PT15M`;
}

/** The body's members: only these, and all of them text. @throws {Refusal} for any other */
function optionsOf<Name extends string>(body: unknown, names: readonly Name[]): { [name in Name]?: string } {
  const entries = Object.entries(body ?? {});
  for (const [name, value] of entries) {
    if (!names.includes(name as Name)) throw new Refusal(400, "UNKNOWN_OPTION", `--${name} is no option of this`);
    if (typeof value !== "string") throw new Refusal(400, "INVALID_OPTION", `${name} is not a text`);
  }
  return Object.fromEntries(entries) as { [name in Name]?: string };
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Errors whose message was written for people: 400. */
const CLEAR = new Set(["TRIGGER", "CLOCK"]);

type Thrown = Error & { readonly status?: number; readonly statusCode?: number; readonly code?: string };

/** All that a developer needs is in the answer: nobody but the sandbox's owner can ask. */
function sendError(error: Thrown, _request: FastifyRequest, reply: FastifyReply): void {
  if (isDatabaseFault(error)) {
    const message = "the database does not answer, as while the trigger 'unavailable' lasts: try again later";
    return void reply.code(503).send({ error: "DATABASE_UNAVAILABLE", message });
  }
  const { code = "UNEXPECTED", message, name } = error;
  const isClear = CLEAR.has(code) || name === "DirectoryError" || name === "FieldError";
  const status = error.status ?? error.statusCode ?? (isClear ? 400 : 500);
  void reply.code(status).send({ error: code, message });
}

const UNITS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };
const SHORT = /^(?:(\d{1,9})w)?(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const ISO = /^P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;

/** Milliseconds of `31d`, `1d12h` or ISO 8601's `P31D`, `PT15M`. Null for all else: months and years, which have no one length, too. */
export function parseSpan(text: string): number | null {
  const [found, ...counts] = SHORT.exec(text) ?? ISO.exec(text) ?? [];
  if (found === undefined) return null;
  const seconds = Object.values(UNITS).reduce((sum, unit, index) => sum + unit * Number(counts[index] ?? 0), 0);
  return seconds === 0 ? null : seconds * 1000;
}
