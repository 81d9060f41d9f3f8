import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unmigratedDatabase } from "@partner-connect/database/testing";
import { type LocalStack, removeData } from "@partner-connect/local-stack";
import { startSandbox } from "@partner-connect/sandbox";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { type Answer, send } from "../actors/http.ts";
import { UNLIMITED } from "./limits.ts";
import type { OwnStack } from "./stacks.ts";

export interface OwnSandbox extends OwnStack {
  /** Moves its clock. */
  advance(duration: string): Promise<Date>;
  /** What its clock says. */
  time(): Promise<Date>;
  /** A call of its control, with the right token. */
  control(path: string, body?: object): Promise<Answer>;
  /** Pulls a trigger. */
  // biome-ignore lint/suspicious/noExplicitAny: what a trigger did
  trigger(name: string, options?: Readonly<Record<string, string>>): Promise<any>;
  /** Stops it, and starts it again with its data. */
  restart(): Promise<void>;
}

/** A sandbox for one test file, on stores of the run. Rate limits that are not set here are never reached. */
export async function startOwnSandbox(env: Readonly<Record<string, string>> = {}): Promise<OwnSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-sandbox-"));
  const database = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
  const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
  const start = (port = 0) =>
    startSandbox({
      dataDir,
      port,
      env: {
        ...UNLIMITED,
        NOTIFIER_REPLICAS: "0",
        DRAIN_SECONDS: "0",
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        ...env,
      },
    });
  let stack: LocalStack = await start();
  const port = Number(new URL(stack.state.base_url).port);

  const control = async (path: string, body?: object): Promise<Answer> => {
    const { sandbox } = JSON.parse(await readFile(join(dataDir, "local-stack.json"), "utf8"));
    const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
    return await send(
      `${sandbox.url}${path}`,
      body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers },
    );
  };
  const done = async (answer: Promise<Answer>) => {
    const { status, text, json } = await answer;
    if (status !== 200) throw new Error(`the sandbox said ${status}: ${text}`);
    return json();
  };
  return {
    get internalUrls() {
      return stack.internalUrls;
    },
    get now() {
      return { ...stack.state, dataDir };
    },
    control,
    advance: async (duration) => new Date((await done(control("/advance", { duration }))).now),
    time: async () => new Date((await done(control("/now"))).now),
    trigger: (name, options = {}) => done(control(`/triggers/${name}`, options)),
    async restart() {
      await stack.stop();
      stack = await start(port);
    },
    async stop() {
      await stack.stop();
      await Promise.all([database.drop(), redis.drop()]);
      await removeData(dataDir);
    },
  };
}
