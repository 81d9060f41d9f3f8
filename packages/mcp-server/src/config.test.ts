import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-server-"));
afterAll(() => rmSync(folder, { recursive: true }));

const URL = { PARTNER_CONNECT_BASE_URL: "https://connect.example/" };
const key = `pck_${"a".repeat(43)}`;

describe("the API key", () => {
  test("is in the environment, or in a file that it names", () => {
    expect(readConfig({ ...URL, PARTNER_CONNECT_API_KEY: key })).toEqual({
      baseUrl: "https://connect.example",
      apiKey: key,
    });
    const file = join(folder, "key");
    writeFileSync(file, `${key}\n`);
    expect(readConfig({ ...URL, PARTNER_CONNECT_API_KEY_FILE: file }).apiKey).toBe(key);
    expect(() => readConfig({ ...URL, PARTNER_CONNECT_API_KEY: key, PARTNER_CONNECT_API_KEY_FILE: file })).toThrow(
      "both set",
    );
  });

  test("that is missing or of another form is named, and never told", () => {
    expect(() => readConfig({})).toThrow(/^PARTNER_CONNECT_BASE_URL is not set; PARTNER_CONNECT_API_KEY is not set$/);
    expect(() => readConfig({ ...URL, PARTNER_CONNECT_API_KEY: "pcs_secret" })).toThrow(
      /^PARTNER_CONNECT_API_KEY is no API key: one begins with pck_$/,
    );
    expect(() => readConfig({ ...URL, PARTNER_CONNECT_API_KEY_FILE: join(folder, "none") })).toThrow(
      /^PARTNER_CONNECT_API_KEY_FILE can't be read: ENOENT$/,
    );
  });

  test("is sent over https, or stays on this machine", () => {
    expect(() =>
      readConfig({ PARTNER_CONNECT_BASE_URL: "http://connect.example", PARTNER_CONNECT_API_KEY: key }),
    ).toThrow("PARTNER_CONNECT_BASE_URL is http");
  });
});
