import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { samplePartner } from "./app.ts";

let dataDir: string;
let app: FastifyInstance;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "partner-connect-sample-"));
  const partnerConnect = { baseUrl: "https://connect.example", clientId: "client_x", clientSecret: "pcs_x" };
  app = await samplePartner({ port: 3000, publicUrl: "https://app.example", dataDir, partnerConnect });
});
afterEach(async () => {
  await app.close();
  await rm(dataDir, { recursive: true });
});

const home = (headers: Record<string, string>) => app.inject({ url: "/", headers });

test("behind a proxy that speaks TLS its cookie is for TLS alone, and browsers use nothing else", async () => {
  const { statusCode, headers } = await home({ host: "app.example", "x-forwarded-proto": "https" });
  expect(statusCode).toBe(200);
  expect(headers["set-cookie"]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  expect(headers["strict-transport-security"]).toMatch(/^max-age=\d{8}/);
});

test("under another host's name it has no pages", async () => {
  const { statusCode, headers, body } = await home({ host: "elsewhere.example", "x-forwarded-proto": "https" });
  expect([statusCode, headers.location, body]).toEqual([302, "https://app.example/", ""]);
});
