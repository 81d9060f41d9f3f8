import { execFile, spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@partner-connect/local-stack";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8");

/** Each package of the workspace: its folder, and the other packages that it runs with. */
const packages = new Map(
  globSync("{services,packages}/*/package.json", { cwd: ROOT }).map((path) => {
    const { name, dependencies = {} } = JSON.parse(read(path));
    return [
      name as string,
      { folder: path.replace("/package.json", ""), uses: Object.keys(dependencies) },
    ];
  }),
);

/** The folders of the packages that deploy/Dockerfile installs for `pnpm --filter "name..."`. */
function installed(name: string, found = new Set<string>()): Set<string> {
  const it = packages.get(name);
  if (it && !found.has(it.folder)) {
    found.add(it.folder);
    for (const other of it.uses) installed(other, found);
  }
  return found;
}

test("the images contain exactly the packages that they run", () => {
  const filters = [...read("deploy/Dockerfile").matchAll(/--filter "(.+?)\.\.\."/g)].map(
    ([, name = ""]) => name,
  );
  expect(filters).toHaveLength(4);
  const needed = new Set(filters.flatMap((name) => [...installed(name)]));
  const present = [...packages.values()].map(({ folder }) => folder);
  const leftOut = read(".dockerignore")
    .split("\n")
    .filter((line) => present.includes(line));
  expect(leftOut.sort()).toEqual(present.filter((folder) => !needed.has(folder)).sort());
  expect(read(".dockerignore")).not.toMatch(/^(packages|services)\/[^/]+\/src\b/m);
});

test("the operator's image contains a compile cache of the modules that its commands load", async () => {
  const [, target = ""] =
    /^FROM runtime AS operator\n([\s\S]+?)^FROM/m.exec(read("deploy/Dockerfile")) ?? [];
  const [, command = ""] = /^RUN ([\s\S]+?[^\\])$/m.exec(target) ?? [];
  const cache = temporaryFolder(onTestFinished);
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, NODE_COMPILE_CACHE: cache };
  await promisify(execFile)("sh", ["-c", command], { cwd: fileURLToPath(ROOT), env });
  const [version = ""] = await readdir(cache);
  expect((await readdir(join(cache, version))).length).toBeGreaterThan(200);
});

test.each([
  ["ready", 200, true],
  ["not ready", 503, false],
  ["silent", null, false],
  ["away", undefined, false],
])("a container is healthy only if its service is ready (%s)", async (_, status, healthy) => {
  const server = createServer((request, answer) => {
    if (request.url !== "/readyz?exclude=postgres&exclude=redis") answer.writeHead(404).end();
    else if (status) answer.writeHead(status).end();
  });
  const port = String(await freePort());
  if (status !== undefined)
    await new Promise<void>((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  const check = fileURLToPath(new URL("deploy/healthcheck", ROOT));
  const code = await new Promise((resolve) =>
    spawn(check, { env: { INTERNAL_PORT: port }, stdio: "ignore" }).on("exit", resolve),
  );
  expect(code === 0).toBe(healthy);
  server.closeAllConnections();
  server.close();
});
