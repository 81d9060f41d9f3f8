import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { searchPath } from "../config.ts";
import { StartFailure } from "../processes/start-failure.ts";

const PROGRAMS = ["redis-server", "valkey-server"];
/** Where distributions put servers that an ordinary user's PATH may leave out. */
const SYSTEM_FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

const HOW_TO_GET_IT =
  "Redis is missing: install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), start Docker, or set REDIS_URL";

/** The Redis or Valkey server of this machine; as root on Debian or Ubuntu it is installed when there is none. */
export async function redisProgram(report: (line: string) => void): Promise<string> {
  const found = await find(PROGRAMS);
  if (found) return found;
  if (process.getuid?.() !== 0 || !(await find(["apt-get"]))) throw new StartFailure(HOW_TO_GET_IT);
  report("Redis is missing: installing it with apt-get install -y redis-server");
  await aptInstall("redis-server");
  const installed = await find(PROGRAMS);
  if (!installed) throw new StartFailure(HOW_TO_GET_IT);
  return installed;
}

async function find(names: readonly string[]): Promise<string | null> {
  const folders = [...searchPath().split(delimiter), ...SYSTEM_FOLDERS].filter((folder) => folder !== "");
  for (const name of names) {
    for (const folder of folders) {
      const path = join(folder, name);
      const runnable = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runnable) return path;
    }
  }
  return null;
}

/** Only the server's program is wanted, so Debian is kept from starting its service. */
async function aptInstall(name: string): Promise<void> {
  const run = promisify(execFile);
  const env = { PATH: searchPath(), DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  try {
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { env });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new StartFailure(`apt-get could not install ${name}:\n${stderr.trimEnd()}\n${HOW_TO_GET_IT}`);
  }
}
