import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthorizationDenied, InvalidClient, Unavailable } from "@partner-connect/partner-sdk";
import { expect, onTestFinished, test } from "vitest";
import { samplePartner } from "./app.ts";
import { html } from "./html.ts";
import { refusedCallback, troubleView } from "./pages.ts";
import { Store } from "./store.ts";

const ORIGIN = "https://app.example";
const HEADERS = { host: "app.example", origin: ORIGIN, "x-forwarded-proto": "https" };

function startApp() {
  const dataDir = mkdtempSync(join(tmpdir(), "partner-connect-sample-"));
  const app = samplePartner({
    publicUrl: "https://app.example",
    dataDir,
    productName: "A & B",
    partnerConnect: {
      baseUrl: "https://connect.example",
      clientId: "client_x",
      clientSecret: "pcs_x",
    },
  });
  onTestFinished(async () => {
    await app.close();
    rmSync(dataDir, { recursive: true });
  });
  return app;
}

test("behind a TLS proxy the sample app sets a Secure cookie and HSTS", async () => {
  const connect = await startApp().inject({ method: "POST", url: "/connect", headers: HEADERS });
  expect(connect.statusCode).toBe(303);
  expect(connect.headers["set-cookie"]).toMatch(
    /; Path=\/callback; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(connect.headers["strict-transport-security"]).toMatch(/^max-age=\d{8}/);
});

test("the sample app accepts only requests to its own host and from its own forms", async () => {
  const [app, headers] = [startApp(), HEADERS];
  const other = await app.inject({ url: "/", headers: { host: "elsewhere.example" } });
  expect([other.statusCode, other.headers.location, other.body]).toEqual([302, `${ORIGIN}/`, ""]);
  const foreign = { ...headers, origin: "https://elsewhere.example" };
  expect((await app.inject({ method: "POST", url: "/connect", headers: foreign })).statusCode).toBe(
    403,
  );
  expect((await app.inject({ url: "/", headers })).headers["content-security-policy"]).toBe(
    "default-src 'none';style-src 'self';img-src 'self';form-action 'self' https://connect.example;frame-ancestors 'none';base-uri 'none'",
  );
});

test("the sample app's home page has the product's name", async () => {
  const { body: home } = await startApp().inject({ url: "/", headers: HEADERS });
  expect([home.includes("You go to A &#38; B (<code>"), home.includes("Partner Connect")]).toEqual([
    true,
    false,
  ]);
});

test("a restarted sample app refuses the callback of an authorization that began before the restart", async () => {
  const connect = await startApp().inject({ method: "POST", url: "/connect", headers: HEADERS });
  const state = new URL(String(connect.headers.location)).searchParams.get("state");
  const callback = await startApp().inject({
    url: `/callback?code=x&state=${state}&iss=https://connect.example`,
    headers: { ...HEADERS, cookie: String(connect.headers["set-cookie"]) },
  });
  expect(callback.statusCode).toBe(400);
});

test.each([
  [new AuthorizationDenied("declined"), 200, "You didn’t connect a shop", false],
  [new Unavailable("503", 5), 503, "Partner Connect can’t be reached just now", true],
  [new InvalidClient("wrong secret"), 500, "We couldn’t finish this", false],
])(
  "after %s the callback page names the problem, and offers a retry only if a retry can help",
  (error, status, title, canBeOpenedAgain) => {
    const page = refusedCallback(error);
    expect([page.status, page.title]).toEqual([status, title]);
    expect(page.main.markup.includes('<a href="">Try again</a>')).toBe(canBeOpenedAgain);
  },
);

test("after a failure the sample app offers to connect again only if the connection has ended", () => {
  expect(troubleView("refresh token expired", "Hats").markup).toMatch(
    /not been used for 30 days.*Connect again/s,
  );
  expect(troubleView("unavailable", "Hats").markup).toMatch(
    /^(?!.*Connect again).*failed \(unavailable\).*resumes automatically/s,
  );
});

test("text is escaped exactly once, in elements and in attributes", () => {
  const words = `<img src=x onerror="alert('1')"> & more`;
  const escaped = "&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62; &#38; more";
  expect(html`<p title="${words}">${[html`<b>${words}</b>`, null, 0]}</p>`.markup).toBe(
    `<p title="${escaped}"><b>${escaped}</b>0</p>`,
  );
});

test("a batch that is based on an outdated state or has an invalid record changes no stored data", () => {
  const store = new Store(":memory:");
  const state = (id: string) => ({ version: 1, response: { id } }) as never;
  const record = {
    id: "a",
    inserted_at: "2026-11-21T01:02:03.123Z",
    question_id: 1,
    response: "TV",
  } as never;
  const batch = { reset: false, responses: [record], deletedIds: [], state: state("1") };
  expect(store.apply("con_1", batch, null)).toBe(true);
  expect(
    store.apply("con_1", { ...batch, reset: true, responses: [], state: state("2") }, null),
  ).toBe(false);
  const broken = {
    ...batch,
    deletedIds: ["a"],
    responses: [{ id: "b", inserted_at: null } as never],
    state: state("2"),
  };
  expect(() => store.apply("con_1", broken, state("1"))).toThrow();
  expect([store.count("con_1"), store.state("con_1")]).toEqual([1, state("1")]);
  expect(
    store.apply(
      "con_1",
      { ...batch, responses: [], deletedIds: ["a"], state: state("2") },
      state("1"),
    ),
  ).toBe(true);
  expect([store.count("con_1"), store.state("con_1")]).toEqual([0, state("2")]);
});
