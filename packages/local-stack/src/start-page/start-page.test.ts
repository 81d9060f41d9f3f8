import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startPage } from "./start-page.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-start-page-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: object) => writeFile(join(folder, name), JSON.stringify(content));

test("says what runs where, with the demo credentials and the sample app", async () => {
  await write("local-stack.json", {
    base_url: "http://localhost:8080",
    auth_url: "http://auth.localhost:8080",
    api_url: "http://api.localhost:8080",
    sample_partner_url: "http://localhost:3000",
    processes: [{ name: "authorization-server-1", pid: 4711, url: "http://127.0.0.1:5001" }],
  });
  await write("demo.json", {
    merchants: [{ name: "Nora <Northwind>", email: "nora@northwind.example", password: "p-1" }],
    client: {
      client_id: "client_1",
      client_secret: "pcs_1",
      name: "App",
      redirect_uris: ["http://localhost:3000/callback"],
    },
    api_key: "pck_1",
  });
  const page = await startPage(folder);
  for (const part of [
    ...["http://auth.localhost:8080", "http://api.localhost:8080", "127.0.0.1:5001", "process 4711"],
    ...["nora@northwind.example", "p-1", "Northwind Coffee (advanced_attribution)", "client_1", "pcs_1", "pck_1"],
    ...['href="http://localhost:3000"', 'href="/docs"', 'href="/oauth/connections"', "Nora &lt;Northwind&gt;"],
  ]) {
    expect(page).toContain(part);
  }
});

test("while the stack starts, and without demo data, it says what it knows", async () => {
  const page = await startPage(folder);
  expect(page).toContain("It is starting");
  expect(page).not.toContain("Demo data");
});
