import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";

/** Headers that differ from one response to the next. */
const OF_ONE_ANSWER = new Set([
  "date",
  "x-request-id",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "set-cookie",
]);

/** Sealed values differ each time. */
const SEALED = /(?<=[?&]return=)[\w-]+/;

/** Expects HEAD to answer as GET does, except for the body. Returns the status. */
export async function expectHeadLikeGet(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const [get, head] = [await ask("GET", url, headers), await ask("HEAD", url, headers)];
  expect({ url, ...head }).toEqual({ url, ...get, bytes: 0 });
  return get.status;
}

async function ask(method: string, url: string, headers: Readonly<Record<string, string>>) {
  const asked = request(url, { method, headers, agent: false }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const told = Object.entries(answer.headers)
    .filter(([name]) => !OF_ONE_ANSWER.has(name))
    .map(
      ([name, value]) =>
        [name, name === "location" ? String(value).replace(SEALED, "") : value] as const,
    );
  // A response to HEAD may omit Content-Length and Transfer-Encoding.
  const same = told.filter(
    ([name, value]) =>
      name !== "transfer-encoding" && !(name === "content-length" && value === "0"),
  );
  const { byteLength: bytes } = await buffer(answer);
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(same), bytes };
}
