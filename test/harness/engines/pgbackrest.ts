import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onPath } from "../../programs.ts";

const run = promisify(execFile);

/** The first that knows Postgres 18. Debian 12 has 2.45. */
const LEAST = 2.55;

/**
 * Puts pgBackRest into this folder: the one on the PATH, or where that is too old, Debian 13's, whose program runs on Debian 12 too.
 * Nothing of the machine is upgraded: its package is unpacked, and the libraries that it needs are installed from the machine's own release.
 * @throws when it is not to be had
 */
export async function pgBackRest(folder: string): Promise<void> {
  const installed = onPath(["pgbackrest"]);
  const program = join(folder, "pgbackrest");
  const [, version = 0] = installed ? (/(\d+\.\d+)/.exec((await run(installed, ["version"])).stdout) ?? []) : [];
  if (installed && Number(version) >= LEAST) return await copyFile(installed, program);
  const apt = await mkdtemp(join(tmpdir(), "partner-connect-apt-"));
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  await writeFile(join(apt, "sources.list"), `deb [signed-by=${keys}] ${await mirror()} trixie main\n`);
  const settings = ["Dir::State", "Dir::Cache"].map((name) => `${name} "${apt}";`);
  const sources = [`Dir::Etc::sourcelist "${apt}/sources.list";`, 'Dir::Etc::sourceparts "/dev/null";'];
  await writeFile(join(apt, "apt.conf"), [...settings, ...sources].join("\n"));
  const script = `set -e
    apt-get install -y -qq --no-install-recommends libpq5 libssh2-1 libxml2 libzstd1 liblz4-1 >/dev/null
    mkdir -p '${apt}/lists/partial' '${apt}/archives/partial' && cd '${apt}' && touch status
    export APT_CONFIG='${apt}/apt.conf'
    apt-get update -qq && apt-get download -qq pgbackrest && dpkg-deb -x pgbackrest_*.deb unpacked`;
  await run("sh", ["-c", script], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  await copyFile(join(apt, "unpacked/usr/bin/pgbackrest"), program);
  await rm(apt, { recursive: true });
}

/** Where this machine has its own packages of Debian from. @throws where it has none from Debian */
async function mirror(): Promise<string> {
  const { stdout } = await run("apt-get", ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
  const found = stdout.split("\n").find((uri) => /\/debian\/?$/.test(uri));
  if (found === undefined) throw new Error("no pgBackRest for Postgres 18: this machine's packages aren't Debian's");
  return found;
}
