import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { MemoryStore, PartnerConnect, type PartnerConnectError, shopWithApiKey } from "./index.ts";

const OPTIONS = { baseUrl: "https://connect.example", clientId: "client_1", clientSecret: "pcs_1" };
const partnerConnect = (options: object = {}) =>
  new PartnerConnect({ ...OPTIONS, store: new MemoryStore(), clock, ...options });

/** The time of a clock that `sleep` advances, so that waiting takes no real time. */
let now = 0;
const clock = {
  now: () => now,
  async sleep(ms: number) {
    now += ms;
  },
};
beforeEach(() => {
  now = 0;
});
const failure = (work: () => unknown): Promise<PartnerConnectError & { param?: string }> =>
  Promise.try(work).then(
    () => expect.fail("it succeeded"),
    (error) => error,
  );

const MISUSES: [option: string, value: string | undefined, problem: string][] = [
  ["clientId", "", "is empty"],
  ["clientId", undefined, "is empty"],
  ["clientId", "pcs_1", "is a client secret"],
  ["clientSecret", "", "is empty"],
  ["clientSecret", "pcs_1\n", "has a space"],
  ["clientSecret", "pck_1", "is an API key"],
  ["apiKey", "", "is empty"],
  ["apiKey", "eyJh.b.c", "is an access token"],
  ["apiKey", "pcr_1", "is a refresh token"],
];
test("an invalid credential is refused without a request, and the error doesn't contain the credential", async () => {
  for (const [param, value, problem] of MISUSES) {
    const given = { [param]: value } as object;
    const error = await failure(() =>
      param === "apiKey"
        ? shopWithApiKey({ ...OPTIONS, apiKey: "", ...given })
        : partnerConnect(given),
    );
    expect(error, `${param} ${value}`).toMatchObject({
      code: "invalid_request",
      param,
      isTemporary: false,
    });
    expect(error.message).toContain(`${param} ${problem}`);
    expect(`${error.stack}`).not.toMatch(/: .*(pcs_1|pck_1|eyJh|pcr_1)/);
  }
});

test.each<unknown>([[[]], ["responses:read"], [undefined], [["responses:read", ""]]])(
  "the scope %j is refused before the merchant is redirected",
  async (scope) => {
    const redirectUri = "https://partner.example/callback";
    const begin = partnerConnect().beginAuthorization({ redirectUri, scope: scope as string[] });
    const error = await failure(() => begin);
    expect(error).toMatchObject({ code: "invalid_request", param: "scope" });
    expect(error.message).toContain("must be a list with at least one name");
  },
);

test("after several attempts without a response, the error names the base URL and the cause", async () => {
  const url = "http://127.0.0.1:2"; // a port that no program is given by chance
  const error = await failure(() => partnerConnect({ baseUrl: url }).changes());
  expect(error).toMatchObject({ code: "unavailable", isTemporary: true });
  expect(error.message).toContain(
    `nothing answers at ${url}, check the base URL, and the proxy if you need one: ECONNREFUSED`,
  );
  expect(now).toBeGreaterThan(100);
  expect(now).toBeLessThan(1500);
});

test("a request to a server that responded before is retried for more than ten seconds", async () => {
  const { url, stop } = await silentAddress();
  const partner = partnerConnect({ baseUrl: url });
  await failure(() => partner.changes());
  await stop();
  const error = await failure(() => partner.changes());
  expect(error.message).toContain(`no answer from ${url}: ECONN`);
  expect(now).toBeGreaterThan(10_000);
});

/** A server that answers 404 until `stop` is called. */
async function silentAddress() {
  const server = createServer((_, answer) => answer.writeHead(404, { connection: "close" }).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
