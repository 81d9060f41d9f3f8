import { approveRequest, declineRequest, openRequests, requestedLogo } from "@partner-connect/directory";
import { REDIRECT_URI, TEST_OPERATOR } from "@partner-connect/directory/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Page } from "../../testing/merchant-browser.ts";
import { merchantFixture } from "../../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../../testing/partner-fixture.ts";
import { BASE_URL } from "../../testing/replicas.ts";

let fixture: Awaited<ReturnType<typeof merchantFixture>>;
let partner: PartnerFixture;
beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture.replicas.stop());
beforeEach(async () => {
  partner = await partnerFixture(fixture);
});

const ASK = "Ask for this change";
const NEW = "https://new.example/cb";
const ask = async (fields: Record<string, string>) =>
  await partner.owner.browser.press(await partner.open("requests"), ASK, fields);
const waiting = () => openRequests(fixture.replicas.sql, partner.client.clientId);

/** The form as a browser sends it with a file: `multipart/form-data`. */
async function upload(page: Page, logo: Uint8Array<ArrayBuffer>, change: (body: Buffer) => Buffer = (body) => body) {
  const form = page.forms.find(({ buttons }) => buttons.some(({ text }) => text === ASK));
  const data = new FormData();
  for (const { name, value, type, checked } of form?.inputs ?? []) {
    if (type !== "file" && (type !== "checkbox" || checked)) data.append(name, value);
  }
  data.append("logo", new Blob([logo], { type: "image/png" }), "logo.png");
  const request = new Request(BASE_URL, { method: "POST", body: data });
  const cookie = [...partner.owner.browser.cookies].map(([key, value]) => `${key.split(" ")[0]}=${value}`).join("; ");
  return await fixture.replicas.apps[0]?.inject({
    method: "POST",
    url: partner.path("requests"),
    headers: {
      host: new URL(BASE_URL).host,
      origin: BASE_URL,
      accept: "text/html",
      cookie,
      "content-type": request.headers.get("content-type") ?? "",
    },
    payload: change(Buffer.from(await request.arrayBuffer())),
  });
}
const png = (size: number) => {
  const image = new Uint8Array(size);
  image.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return image;
};

describe("the page of a client's requests", () => {
  test("asks for a change, shows it while it waits, and what came of it", async () => {
    const asked = await ask({ name: "Better", add: ` ${NEW}\r\n\r\nhttps://b.example/`, "remove.0": REDIRECT_URI });
    expect([asked.status, asked.location]).toEqual([303, partner.path("requests")]);
    const [request] = await waiting();
    expect(request?.changes).toEqual({
      name: { from: "Lookout", to: "Better" },
      redirect_uris: { added: [NEW, "https://b.example/"], removed: [REDIRECT_URI] },
    });
    expect(request?.askedBy.id).toBe(partner.owner.id);
    const page = await partner.open("requests");
    for (const text of ["Waits for us", "<bdi>Lookout</bdi> → <bdi>Better</bdi>", `<dd><code>${NEW}</code></dd>`])
      expect(page.html).toContain(text);

    await approveRequest(fixture.replicas.sql, request?.id ?? "", { allowDuplicateName: true }, TEST_OPERATOR);
    await ask({ "scope.sources:write": "" });
    const [narrower] = await waiting();
    expect(narrower?.changes).toEqual({ scope: { added: [], removed: ["sources:write"] } });
    await declineRequest(fixture.replicas.sql, narrower?.id ?? "", "It is <in> use.", TEST_OPERATOR);
    const decided = (await partner.open("requests")).html;
    for (const text of ["Approved", "Declined", "It is &lt;in&gt; use."]) expect(decided).toContain(text);
    expect(decided).not.toContain("Waits for us");
  });

  test("takes a logo as a file, undecoded", async () => {
    const page = await partner.open("requests");
    const answer = await upload(page, png(60_000));
    expect([answer?.statusCode, answer?.headers.location]).toEqual([303, partner.path("requests")]);
    const [request] = await waiting();
    expect(request?.changes).toEqual({ logo: { from: null } });
    expect(await requestedLogo(fixture.replicas.sql, request?.id ?? "")).toEqual(Buffer.from(png(60_000)));
    expect((await partner.open("requests")).html).toContain("A new one");
  });

  test.each<[string, number, string, (page: Page) => ReturnType<typeof upload>]>([
    ["a GIF", 422, "no PNG or WebP image", (page) => upload(page, new TextEncoder().encode("GIF89a"))],
    ["a logo of more than 64 KB", 422, "larger than 64 KB", (page) => upload(page, png(64 * 1024 + 1))],
    ["a body of more than 96 KB", 413, "", (page) => upload(page, png(97 * 1024))],
    ["half a body", 400, "", (page) => upload(page, png(100), (body) => body.subarray(0, 300))],
  ])("asks for nothing by %s", async (_, status, text, post) => {
    const answer = await post(await partner.open("requests"));
    expect([answer?.statusCode, answer?.body]).toEqual([status, expect.stringContaining(text)]);
    expect(await waiting()).toEqual([]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["nothing", {}, "your app is like this already"],
    ["an empty name", { name: " " }, "a name has 1 to 100 characters"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "a name has 1 to 100 characters"],
    ["a name that nobody can read", { name: "a\u202eb" }, "a name has 1 to 100 characters"],
    ["no scope", { "scope.responses:read": "", "scope.sources:write": "" }, "one scope must stay"],
    [
      "no redirect URI",
      { "remove.0": REDIRECT_URI, "remove.1": "http://localhost/callback" },
      "one redirect URI must stay",
    ],
    ["a redirect URI to go that is not there", { "remove.0": NEW }, "one redirect URI must stay"],
    ["21 redirect URIs", { add: Array.from({ length: 21 }, (_, n) => `${NEW}${n}`).join("\n") }, "adds 20 at most"],
  ])("asks for nothing when %s is asked for, and says why", async (_, fields, text) => {
    const refused = await ask(fields);
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining(text)]);
    expect(await waiting()).toEqual([]);
  });

  test("names each line that can't be registered, and keeps what was typed", async () => {
    const refused = await ask({ add: `${NEW}\nhttp://a.example/\nhttps://*.example/#<b>`, name: "Better" });
    expect(refused.status).toBe(422);
    for (const text of [
      '<code>http://a.example/</code> <span lang="en">is http',
      '<code>https://*.example/#&lt;b&gt;</code> <span lang="en">has a fragment',
      `${NEW}\nhttp://a.example/`,
      'value="Better"',
    ]) {
      expect(refused.html).toContain(text);
    }
    expect(refused.html).not.toContain(`<li><code>${NEW}`);
    expect(await waiting()).toEqual([]);
  });

  test("withdraws a request that waits, and none that is decided; the sixth has to wait", async () => {
    const { browser } = partner.owner;
    for (let n = 0; n < 5; n++) await ask({ name: `Name ${n}` });
    const refused = await ask({ name: "More" });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining("five requests wait already")]);
    const page = await partner.open("requests");
    expect((await browser.press(page, "Withdraw")).location).toBe(partner.path("requests"));
    expect(await waiting()).toHaveLength(4);
    const again = await browser.press(page, "Withdraw");
    expect([again.status, again.html]).toEqual([409, expect.stringContaining("decided or withdrawn already")]);
  });

  test("refuses a form that is not ours", async () => {
    const refused = await ask({ name: "Better", token: "forged" });
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining("this page was out of date")]);
    expect(await waiting()).toEqual([]);
  });

  test("shows a member what is asked and no form, and takes no form of a member", async () => {
    const form = await partner.open("requests");
    await ask({ name: "Better" });
    const waitingPage = await partner.open("requests");
    const { browser } = await partner.join("member");
    const page = await browser.open(partner.path("requests"));
    expect([
      page.status,
      page.html.includes("<bdi>Lookout</bdi> → <bdi>Better</bdi>"),
      page.html.includes("<form class"),
    ]).toEqual([200, true, false]);
    for (const answer of [
      await browser.press(form, ASK, { name: "Best" }),
      await browser.press(waitingPage, "Withdraw"),
    ]) {
      expect([answer.status, answer.html]).toEqual([403, expect.stringContaining("Only owners")]);
    }
    expect(await waiting()).toHaveLength(1);
  });
});
