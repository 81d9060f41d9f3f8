import { expect, test } from "vitest";
import { ISSUER, suiteServer } from "../testing.ts";
import { insertRows, type ListBody, rowsFrom } from "./testing.ts";

const server = await suiteServer();

const AT = Date.parse("2025-03-04T05:06:07.089Z");

const shop = await server.newShop();
await insertRows(server.owner, shop.id, rowsFrom(AT, 9));

const ids = ({ data }: ListBody): string => data.map((record) => record.id).join(" ");

test("GET /api/responses returns the newest records first, as they are stored, in the common envelope", async () => {
  const response = await server.get("/api/responses?limit=1", shop.apiKey);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await response.text()).toBe(
    '{"data":[{"id":"r8","inserted_at":"2025-03-04T05:06:07.097Z","updated_at":"2025-03-04T05:06:07.097Z","response":"Podcast"}],' +
      `"prev":null,"next":"${ISSUER}/api/responses?limit=1&starting_after=r8&cursor_time=2025-03-04T05%3A06%3A07.097Z"}`,
  );
});

test("the links of a page of responses have the public base URL and the given parameters by their canonical names", async () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const query = "?after=r6&until=2025-03-04T07:06:07.095+02:00&limit=2&sort=inserted_at_desc&x=1";
  const response = await server.get(`/api/responses${query}`, shop.apiKey, headers);
  const given =
    "limit=2&sort=inserted_at_desc&inserted_at_max=2025-03-04T07%3A06%3A07.095%2B02%3A00";
  const body = (await response.json()) as ListBody;
  expect(ids(body)).toBe("r5 r4");
  expect(body.prev).toBe(
    `${ISSUER}/api/responses?${given}&ending_before=r5&cursor_time=2025-03-04T05%3A06%3A07.094Z`,
  );
  expect(body.next).toBe(
    `${ISSUER}/api/responses?${given}&starting_after=r4&cursor_time=2025-03-04T05%3A06%3A07.093Z`,
  );
});

test("a cursor that the shop never had is refused like a cursor of another shop", async () => {
  const other = await server.newShop();
  await insertRows(server.owner, other.id, [{ id: "theirs", inserted_at: AT, updated_at: AT }]);
  // A deletion of this record was received, but never the record.
  await server.owner`
      INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at, deleted_at, version, is_hidden)
      VALUES (${shop.id}, 'never', ${AT}, ${AT}, ${AT}, 1, true)`;
  for (const name of ["starting_after", "ending_before"]) {
    for (const sort of ["inserted_at_desc", "updated_at_asc"]) {
      const answers = await Promise.all(
        ["theirs", "nobodys", "never", `nobodys&cursor_time=${new Date(AT).toISOString()}`].map(
          async (id) => {
            const response = await server.get(
              `/api/responses?sort=${sort}&${name}=${id}`,
              shop.apiKey,
            );
            return [response.status, await response.json()];
          },
        ),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject([400, { error: "invalid_request", param: name }]);
    }
  }
});

test("regardless of Accept, a page of responses is JSON without an ETag", async () => {
  const { status, headers } = await server.get("/api/responses", shop.apiKey, {
    accept: "text/csv",
  });
  const answer = [status, headers.get("content-type"), headers.get("etag")];
  expect(answer).toEqual([200, "application/json; charset=utf-8", null]);
});

test.each(["zstd", "br", "gzip"])(
  "a page of responses that is compressed with %s on request has the same content",
  async (coding) => {
    const large = await server.newShop();
    await insertRows(server.owner, large.id, rowsFrom(AT, 100));
    const plain = await server.get("/api/responses", large.apiKey, {
      "accept-encoding": "identity",
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const response = await server.get("/api/responses", large.apiKey, {
      "accept-encoding": `${coding}, x;q=0.5`,
    });
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(response.headers.get("vary")).toContain("accept-encoding");
    expect(await response.text()).toBe(await plain.text());
  },
);
