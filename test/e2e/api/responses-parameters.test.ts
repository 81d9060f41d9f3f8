import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, send } from "../../harness/actors/http.ts";
import { onboard, onboardApiKey, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../../harness/actors/survey.ts";
import { getPage } from "../../harness/actors/walk.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
let key: string;
let shop: ShopRecord;
/** Newest first. */
let records: SurveyRecord[];
/** Of a record of another shop. */
let foreignId: string;

beforeAll(async () => {
  const { shop: own, advancedShop } = await onboard(stack);
  shop = own;
  records = (await generateResponses(60, "parameters")).toSorted((a, b) =>
    `${a.inserted_at} ${a.id}` < `${b.inserted_at} ${b.id}` ? 1 : -1,
  );
  const foreign = await generateResponses(3, "foreign");
  foreignId = foreign[0]?.id ?? "";
  const [apiKey] = await Promise.all([
    onboardApiKey(stack, shop),
    importRecords(stack, "response", shop, records),
    importRecords(stack, "response", advancedShop, foreign),
  ]);
  key = apiKey.key;
});

const url = (query: string) => `${stack.base_url}/api/responses${query && `?${query}`}`;
const get = (query: string): Promise<Answer> => send(url(query), { headers: { authorization: key } });
const ids = async (query: string) => (await getPage(url(query), key)).data.map(({ id }) => id);
const encoded = encodeURIComponent;

function expectInvalid(answer: Answer, param: string): void {
  expect([answer.status, answer.json()]).toEqual([
    400,
    { error: "invalid_request", error_description: expect.stringMatching(/\S/), param },
  ]);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
}

describe("limit", () => {
  test.each([1, 7, 60, 1000])("%i is the page size", async (limit) => {
    expect(await ids(`limit=${limit}`)).toEqual(records.slice(0, limit).map(({ id }) => id));
  });

  test.each([
    "0",
    "-1",
    "1001",
    "1.5",
    "1e2",
    "0x10",
    "",
    "ten",
    " 5",
    "5 ",
    "٣",
    "99999999999999999999",
    "NaN",
    "5\u0000",
  ])("%j is refused", async (limit) => expectInvalid(await get(`limit=${encoded(limit)}`), "limit"));
});

describe("sort", () => {
  test.each(["", "inserted_at", "INSERTED_AT_DESC", "id_desc", "updated_at_desc,id", "constructor", "desc"])(
    "%j is refused",
    async (sort) => expectInvalid(await get(`sort=${encoded(sort)}`), "sort"),
  );
});

describe("cursors", () => {
  test.each(["starting_after", "ending_before"])(
    "%s with an id that this shop does not know is refused, another shop's included",
    async (name) => {
      const answers = [];
      for (const id of [
        "res_nothing",
        foreignId,
        "",
        "x".repeat(65),
        "a\u0000b",
        "'; DROP TABLE survey.responses; --",
        "%F0%9F%92%A5",
      ]) {
        const answer = await get(`${name}=${encoded(id)}`);
        expectInvalid(answer, name);
        answers.push(answer.text);
      }
      expect(new Set(answers).size).toBe(1);
    },
  );

  test("both together are refused, in whichever names", async () => {
    const [first, second] = records.map(({ id }) => id);
    for (const query of [
      `starting_after=${first}&ending_before=${second}`,
      `after=${first}&ending_before=${second}`,
      `starting_after=${first}&before=${second}`,
      `after=${first}&before=${second}`,
    ]) {
      const answer = await get(query);
      expect([answer.status, answer.json().error]).toEqual([400, "invalid_request"]);
      expect(["starting_after", "ending_before"]).toContain(answer.json().param);
    }
  });
});

describe("time bounds", () => {
  test("are inclusive at both ends, to the millisecond that the record shows", async () => {
    for (const column of ["inserted_at", "updated_at"] as const) {
      const time = records[30]?.[column] ?? "";
      const same = records.filter((record) => record[column] === time).map(({ id }) => id);
      expect(await ids(`${column}_min=${time}&${column}_max=${time}`)).toEqual(same);
    }
  });

  test("any offset and a plus that was not escaped are understood", async () => {
    const time = records[20]?.inserted_at ?? "";
    const expected = await ids(`inserted_at_min=${time}&limit=1000`);
    const east = `${new Date(Date.parse(time) + 5.5 * 3_600_000).toISOString().slice(0, -1)}+05:30`;
    const west = `${new Date(Date.parse(time) - 3_600_000).toISOString().slice(0, -1)}-01:00`;
    for (const text of [encoded(east), east, encoded(west), encoded(time.replace("Z", "000Z")), time.toLowerCase()]) {
      expect(await ids(`inserted_at_min=${text}&limit=1000`)).toEqual(expected);
    }
  });

  test.each([
    "",
    "2026",
    "2026-11-21",
    "2026-11-21T01:02:03",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21 01:02:03Z",
    "2026-11-21T01:02:03.1234567Z",
    "1795222923",
    "now",
    "infinity",
    "2026-11-21T01:02:03Z\u0000",
  ])("%j is no timestamp", async (text) => {
    for (const name of ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"]) {
      expectInvalid(await get(`${name}=${encoded(text)}`), name);
    }
  });
});

describe("legacy names", () => {
  test("mean the same as the canonical ones, and links use canonical names", async () => {
    const [since, until] = [records[40]?.inserted_at, records[10]?.inserted_at];
    const legacy = await getPage(url(`since=${since}&until=${until}&limit=5&after=${records[15]?.id}`), key);
    const canonical = await getPage(
      url(`inserted_at_min=${since}&inserted_at_max=${until}&limit=5&starting_after=${records[15]?.id}`),
      key,
    );
    expect(legacy.data).toEqual(canonical.data);
    for (const link of [legacy.prev, legacy.next]) {
      const names = [...new URL(link ?? "").searchParams.keys()];
      expect(names).toEqual(expect.arrayContaining(["inserted_at_min", "inserted_at_max", "limit"]));
      expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(since|until|after|before)$/)]));
    }
    expect(await ids(`before=${records[15]?.id}&limit=5`)).toEqual(
      await ids(`ending_before=${records[15]?.id}&limit=5`),
    );
  });

  test("the canonical value wins, and the legacy one beside it is not even read", async () => {
    const [a, b] = [records[40]?.inserted_at ?? "", records[10]?.inserted_at ?? ""];
    expect(await ids(`since=${b}&inserted_at_min=${a}`)).toEqual(await ids(`inserted_at_min=${a}`));
    expect(await ids(`inserted_at_max=${b}&until=nonsense`)).toEqual(await ids(`inserted_at_max=${b}`));
    expect(await ids(`after=nonsense&starting_after=${records[3]?.id}`)).toEqual(
      await ids(`starting_after=${records[3]?.id}`),
    );
    expect(await ids(`before=x&before=y&ending_before=${records[9]?.id}`)).toEqual(
      await ids(`ending_before=${records[9]?.id}`),
    );
  });

  test("what is wrong with a legacy value is told of its canonical name", async () => {
    expectInvalid(await get("since=yesterday"), "inserted_at_min");
    expectInvalid(await get("until=tomorrow"), "inserted_at_max");
    expectInvalid(await get("after=nothing"), "starting_after");
    expectInvalid(await get("before=nothing"), "ending_before");
  });
});

describe("the query as a whole", () => {
  test.each([
    "limit",
    "sort",
    "starting_after",
    "ending_before",
    "inserted_at_min",
    "inserted_at_max",
    "updated_at_min",
    "updated_at_max",
  ])("%s twice is refused, whatever its values", async (name) => {
    expectInvalid(await get(`${name}=x&${name}=x`), name);
    expectInvalid(await get(`${name}=1&${name}=`), name);
  });

  test("unknown parameters are ignored, repeated or strange ones too", async () => {
    const expected = await ids("limit=3");
    for (const more of [
      "page=2&page=3",
      "limit[]=1",
      "__proto__=1&constructor=2",
      "shop_id=other",
      "=x",
      "&&",
      "%00=1",
    ]) {
      expect(await ids(`limit=3&${more}`)).toEqual(expected);
    }
  });

  test("what is no percent-encoding of text is refused, never a fault", async () => {
    for (const query of ["limit=%ff", "sort=%", "%zz=1", "inserted_at_min=%c3%28"]) {
      const { status, json } = await get(query);
      expect([status, json().error]).toEqual([400, "invalid_request"]);
    }
  });

  test("a query of any size is answered without a fault", async () => {
    const { status } = await get(`filler=${"x".repeat(12_000)}`);
    expect(status).toBe(200);
    expect((await get(`filler=${"x".repeat(40_000)}`)).status).toBe(431);
  });
});
