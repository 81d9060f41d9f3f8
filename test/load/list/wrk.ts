import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What wrk saw. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly bytes: number;
}

/** Sends the given requests in random order and says at the end what came, as JSON on the last line. */
const SCRIPT = `
local requests = {}
init = function(args)
  math.randomseed(tonumber(args[2]))
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
end
request = function() return requests[math.random(#requests)] end
done = function(summary)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"microseconds":%d,"bytes":%d,"failed":%d}\\n', summary.requests, summary.duration,
    summary.bytes, errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end`;

/** Loads `url` with GETs of `paths` from one thread, written in C: it leaves the cores to what is measured. */
export async function wrk(
  url: string,
  paths: readonly string[],
  options: { readonly connections: number; readonly seconds: number; readonly authorization: string },
): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-wrk-"));
  try {
    await writeFile(join(folder, "list.lua"), SCRIPT);
    await writeFile(join(folder, "paths"), `${paths.join("\n")}\n`);
    const { stdout } = await promisify(execFile)("wrk", [
      ...["--threads", "1", "--connections", String(options.connections), "--duration", `${options.seconds}s`],
      ...["--header", `authorization: ${options.authorization}`, "--script", join(folder, "list.lua"), url],
      ...["--", join(folder, "paths"), String(Date.now() % 1_000_000)],
    ]);
    const { requests, microseconds, bytes, failed } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    if (failed > 0) throw new Error(`${url}: ${failed} of ${requests} requests failed`);
    return { requests, perSecond: requests / (microseconds / 1e6), bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
