import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuthorizationDenied, InvalidClient, Unavailable } from "@partner-connect/partner-sdk";
import { expect, onTestFinished, test } from "vitest";
import { samplePartner } from "./app.ts";
import { html } from "./html.ts";
import { refusedCallback, troubleView } from "./pages.ts";
import { Store } from "./store.ts";

const HEADERS = {
  host: "app.example",
  origin: "https://app.example",
  "x-forwarded-proto": "https",
};

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

test("the app sets a Secure cookie behind a TLS proxy, accepts only its own host and forms, and shows the product's name", async () => {
  const [app, headers] = [startApp(), HEADERS];
  const connect = await app.inject({ method: "POST", url: "/connect", headers });
  expect(connect.statusCode).toBe(303);
  expect(connect.headers["set-cookie"]).toMatch(
    /; Path=\/callback; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(connect.headers["strict-transport-security"]).toMatch(/^max-age=\d{8}/);
  const {
    statusCode,
    headers: elsewhere,
    body,
  } = await app.inject({ url: "/", headers: { host: "elsewhere.example" } });
  expect([statusCode, elsewhere.location, body]).toEqual([302, "https://app.example/", ""]);
  const foreign = { ...headers, origin: "https://elsewhere.example" };
  expect((await app.inject({ method: "POST", url: "/connect", headers: foreign })).statusCode).toBe(
    403,
  );
  expect((await app.inject({ url: "/", headers })).headers["content-security-policy"]).toBe(
    "default-src 'none';style-src 'self';img-src 'self';form-action 'self' https://connect.example;frame-ancestors 'none';base-uri 'none'",
  );
  const { body: home } = await app.inject({ url: "/", headers });
  expect([home.includes("You go to A &#38; B (<code>"), home.includes("Partner Connect")]).toEqual([
    true,
    false,
  ]);
});

test("a restarted app completes no attempt from before the restart, because its code may have been sent", async () => {
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
  "after %o the page says what happened, and offers to try again if that can help",
  (error, status, title, canBeOpenedAgain) => {
    const page = refusedCallback(error);
    expect([page.status, page.title]).toEqual([status, title]);
    expect(page.main.markup.includes('<a href="">Try again</a>')).toBe(canBeOpenedAgain);
  },
);

test("after a failure the app offers to connect again if the connection has ended, and otherwise says that it retries", () => {
  expect(troubleView("refresh token expired", "Hats").markup).toMatch(
    /not been used for 30 days.*Connect again/s,
  );
  expect(troubleView("unavailable", "Hats").markup).toMatch(
    /failed \(unavailable\).*goes on by itself/s,
  );
});

test("text is escaped, in elements and in attributes; markup is not escaped twice", () => {
  const words = `<img src=x onerror="alert('1')"> & more`;
  const escaped = "&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62; &#38; more";
  expect(html`<p title="${words}">${[html`<b>${words}</b>`, null, 0]}</p>`.markup).toBe(
    `<p title="${escaped}"><b>${escaped}</b>0</p>`,
  );
});

test("a batch that builds on another stored state, or can't be stored, changes no stored data", () => {
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
