import { expect, test } from "vitest";
import { operator } from "../testing.ts";

const listen = operator({ CLIENT_SECRET: "pcs_x" });
const words = ["listen", "--client", "client_x", "--base-url", "http://127.0.0.1:9"];

test("listen forwards to this machine alone", async () => {
  for (const forward of [
    "https://partner.example/webhooks",
    "http://partner.example",
    "ftp://localhost",
    "localhost",
  ]) {
    const { code, stderr } = await listen(...words, "--forward", forward);
    expect([code, stderr]).toEqual([1, expect.stringContaining("must be an http address of this machine")]);
  }
});

test("listen wants the client's secret, never as an argument", async () => {
  const { code, stderr } = await operator({})(...words, "--forward", "http://localhost:1");
  expect([code, stderr]).toEqual([2, expect.stringContaining("the client's secret is missing; set CLIENT_SECRET")]);
  expect((await listen(...words, "--secret", "pcs_x")).code).toBe(2);
});
