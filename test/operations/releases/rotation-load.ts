import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Partner, Tokens } from "../../harness/actors/partner.ts";
import { keepAsking, type Load } from "../../harness/stack/processes.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";

export interface RotationLoad extends Load {
  /** The ids of the keys by which a token was signed that a caller has shown. */
  readonly signedBy: ReadonlySet<string>;
  /** Calls so far. */
  readonly calls: number;
}

/**
 * Callers with tokens of every age: fresh ones, and such that are about to expire. Each token is valid when it is shown.
 */
export function callWithTokens(app: Partner, { refreshToken }: Tokens, callers = 4): RotationLoad {
  const signedBy = new Set<string>();
  /** With the time until which they are shown: two seconds before they expire, as a call of a busy machine takes some time. */
  let held: { readonly token: string; readonly until: number }[] = [];
  let refreshedAt = 0;
  let calls = 0;
  const load = keepAsking(async () => {
    calls += 1;
    const now = Date.now();
    if (now - refreshedAt > 250) {
      refreshedAt = now;
      const answer = await app.refresh(refreshToken);
      if (answer.status === 200) {
        const token: string = answer.json().access_token;
        signedBy.add(headerOf(token).kid);
        held.push({ token, until: expiryOf(token) - 2000 });
      }
      return answer;
    }
    held = held.filter(({ until }) => until > now);
    const shown = held[Math.floor(Math.random() * held.length)];
    return shown ? await app.call("/api/responses?limit=1", shown.token) : { status: 200 };
  }, callers);
  return {
    signedBy,
    get calls() {
      return calls;
    },
    stop: load.stop,
  };
}

/** The token's own, as its lifetime begins with a whole second that may have begun before. */
const expiryOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).exp * 1000;

export function headerOf(token: string): { readonly alg: string; readonly kid: string } {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
}

const CLI = fileURLToPath(new URL("../../../packages/operator-cli/src/main.ts", import.meta.url));

/** `partner-connect` as a process that may be killed. */
export function startOperator(
  stack: Pick<StackUnderTest, "dataDir">,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { PATH, HOME } = process.env;
  const child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } = spawn(
    process.execPath,
    [CLI, ...args],
    { env: { PATH, HOME, DATA_DIR: stack.dataDir, ...env }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let told = "";
  child.stderr.on("data", (part) => {
    told += part;
  });
  const ended = Promise.all([once(child, "exit"), text(child.stdout as never)]);
  return {
    /** What it has said on stderr so far. */
    get told() {
      return told;
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    async end(): Promise<{ readonly exitCode: number | null; readonly stdout: string }> {
      const [[exitCode], stdout] = await ended;
      return { exitCode, stdout };
    },
  };
}
