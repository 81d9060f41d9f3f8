import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface WrkRequest {
  readonly method: "GET" | "POST";
  /** With the query. */
  readonly path: string;
  /** In one line. */
  readonly body?: string;
  readonly authorization?: string;
}

export interface WrkOptions {
  readonly connections: number;
  readonly seconds: number;
  /** Ends the load early. */
  readonly until?: Promise<unknown>;
  /**
   * Whether wrk gets a processor before all others, as if it ran on a machine of its own: for measuring single waits. Needs
   * root.
   */
  readonly ahead?: boolean;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What wrk measured. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Sends the requests of a file, one on each line, one after the other, from any of them on. At the end it prints what it measured, as JSON on the last line. */
const SCRIPT = `
local requests, at = {}, 0
init = function(args)
  math.randomseed(tonumber(args[2]))
  local given = wrk.headers["authorization"]
  for line in io.lines(args[1]) do
    local method, path, authorization, body = line:match("^(.-)\\t(.-)\\t(.-)\\t(.*)$")
    if body == "" then body = nil end
    wrk.headers["authorization"] = authorization ~= "" and authorization or given
    requests[#requests + 1] = wrk.format(method, path, nil, body)
  end
  at = math.random(#requests)
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"longest":%d,"refused":%d,"broken":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end`;

/** Times in microseconds. */
type Seen = Record<"requests" | "microseconds" | "p50" | "p99" | "longest" | "refused" | "broken", number>;

/**
 * Loads the server at `origin` from one thread, written in C, which leaves most of the processor to what is measured.
 * @throws when a request fails, or its status is 400 or more
 */
export async function wrk(
  origin: string,
  requests: readonly WrkRequest[],
  { connections, seconds, until, ahead = false, headers = {} }: WrkOptions,
): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-wrk-"));
  try {
    await writeFile(join(folder, "requests.lua"), SCRIPT);
    const lines = requests.map(
      ({ method, path, authorization = "", body = "" }) => `${[method, path, authorization, body].join("\t")}\n`,
    );
    await writeFile(join(folder, "requests"), lines.join(""));
    const program = spawn("nice", [
      ...["-n", ahead ? "-15" : "0", "wrk"],
      ...["--threads", "1", "--connections", String(connections), "--duration", `${seconds}s`, "--timeout", "30s"],
      ...Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]),
      ...["--script", join(folder, "requests.lua"), origin],
      ...["--", join(folder, "requests"), String(Date.now() % 1_000_000)],
    ]);
    const end = once(program, "exit");
    const stop = () => program.kill("SIGINT");
    void until?.then(stop, stop);
    const output = await text(program.stdout);
    await end;
    const seen = JSON.parse(output.trim().split("\n").at(-1) ?? "") as Seen;
    const { refused, broken } = seen;
    if (refused + broken > 0) {
      throw new Error(`${origin}: of ${seen.requests} requests ${refused} were refused, ${broken} broke off`);
    }
    return {
      requests: seen.requests,
      perSecond: seen.requests / (seen.microseconds / 1e6),
      p50: seen.p50 / 1000,
      p99: seen.p99 / 1000,
      longest: seen.longest / 1000,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
