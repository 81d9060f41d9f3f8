import { hash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture();
const image = Buffer.from("RIFF a logo WEBP");
const digest = hash("sha256", image, "base64url");

beforeAll(async () => {
  await store(fixture.client.clientId, image);
});

async function store(clientId: string, logo: Buffer): Promise<void> {
  await fixture.replicas.sql`
    UPDATE directory.clients SET logo = ${logo}, logo_digest = ${hash("sha256", logo, "base64url")}
    WHERE client_id = ${clientId}`;
}

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await fixture.replicas.apps[0]?.inject({ method: "GET", url, headers });
  if (!answer) throw new Error("no server");
  return answer;
}

const path = (clientId: string, name = digest) => `/oauth/logos/${clientId}/${name}.webp`;

describe("a logo", () => {
  test("is where the client says, for everybody, and is kept by browsers without a limit", async () => {
    const { clientId } = fixture.client;
    const answer = await get(path(clientId));
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload).toEqual(image);
    expect(answer.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("that was changed is at its new path, and at the old one for pages from before", async () => {
    const { clientId } = await fixture.replicas.registerClient();
    await store(clientId, image);
    expect((await get(path(clientId))).rawPayload).toEqual(image);
    const next = Buffer.from("RIFF another WEBP");
    await store(clientId, next);
    const exact = await get(path(clientId, hash("sha256", next, "base64url")));
    expect([exact.rawPayload, exact.headers["cache-control"]]).toEqual([next, "public, max-age=31536000, immutable"]);
    const never = await get(path(clientId, "x".repeat(43)));
    expect([never.rawPayload, never.headers["cache-control"]]).toEqual([next, "public, max-age=60"]);
  });

  test.each([
    ["of a client without one", async () => path((await fixture.replicas.registerClient()).clientId)],
    ["of nobody", () => path("client_none")],
    ["with a name that no logo has", () => `/oauth/logos/${fixture.client.clientId}/logo.svg`],
    ["above the folder", () => `/oauth/logos/..%2f..%2fassets/${digest}.webp`],
  ])("%s is not found, and that is not kept", async (_, url) => {
    const answer = await get(await url());
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([404, "no-store"]);
  });

  test("is unavailable, and not 'not found', while Postgres does not answer", async () => {
    const { clientId } = await fixture.replicas.registerClient();
    await fixture.replicas.sql.begin(async (transaction) => {
      await transaction`LOCK TABLE directory.clients IN ACCESS EXCLUSIVE MODE`;
      const answer = await get(path(clientId));
      expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([503, "no-store"]);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    });
  });
});
