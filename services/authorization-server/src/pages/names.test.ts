import { expect, test } from "vitest";
import { address, allowBreaks, isolatedName, plainName } from "./names.ts";
import { pageNumber, shopList } from "./shop-list.ts";

test("characters that are invisible or change the text direction are removed from a name", () => {
  expect(plainName("Acme\u202e moc.live\u2066\u2069\u200b\u0007")).toBe("Acme moc.live");
  expect(plainName("\u3164Lo\u00adok\u2800out\u{e0061}")).toBe("Lookout");
});

test("a name keeps its script (alphabet), joiners and emoji", () => {
  for (const name of ["متجر القهوة", "क्‍ष", "👩‍🌾 Farm", "❤️", "葛\u{e0100}飾"])
    expect(plainName(name)).toBe(name);
});

test("a name that is an email address shows its domain in Unicode", () => {
  expect(address("anna@xn--bcher-kva.example").toString()).toBe("<bdi>anna@bücher.example</bdi>");
});

test("a long name can wrap after its punctuation", () => {
  expect(allowBreaks("a_b@c.de/<f").toString()).toBe("a_b@<wbr>c.<wbr>de/<wbr>&lt;f");
});

test("a name is escaped, and its text direction is isolated", () => {
  expect(isolatedName("<b>שלום</b>").toString()).toBe("<bdi>&lt;b&gt;שלום&lt;/b&gt;</bdi>");
});

const SIX = ["Café Öl", "Café Rio", "Fern", "Store 10", "Store 2 @two.example", "ＳＴＯＲＥ 1"];
const listOf = (items: readonly string[], search = "", page = 1, tag = "en") =>
  shopList(items, {
    ...{ search, page, tag },
    name: (item) => item.split(" @")[0] ?? "",
    more: (item) => item.split(" @")[1] ?? "",
  });

test("a merchant's shops are sorted naturally, 2 before 10, by the rules of the reader's language", () => {
  expect(listOf(["S 10", "S 2", "S 1"]).listed).toEqual(["S 1", "S 2", "S 10"]);
  expect(listOf(["Zebra", "Ärta"], "", 1, "sv").listed).toEqual(["Zebra", "Ärta"]);
});

test("a merchant's shops can be searched only if there are more than five shops", () => {
  expect(listOf([..."12345"], "2")).toMatchObject({ isLong: false, search: "", all: 5 });
  expect(listOf(SIX, " fern ")).toMatchObject({ isLong: true, search: "fern", found: 1, all: 6 });
});

test.each([
  ["store", ["ＳＴＯＲＥ 1", "Store 2 @two.example", "Store 10"]],
  ["CAFE ol", ["Café Öl"]],
  ["two.exam", ["Store 2 @two.example"]],
  ["2 store", ["Store 2 @two.example"]],
  ["<b>", []],
])("a search of a merchant's shops for %j ignores case, accents and width", (search, found) => {
  expect(listOf(SIX, search).listed.toSorted()).toEqual(found.toSorted());
});

test("a merchant's shops are shown fifty per page, and a page number beyond the last shows the last page", () => {
  const many = Array.from({ length: 120 }, (_, n) => `Shop ${n + 1}`);
  for (const page of [3, 4, 999_999]) {
    expect(listOf(many, "", page)).toMatchObject({ page: 3, pages: 3 });
    expect(listOf(many, "", page).listed).toEqual(many.slice(100));
  }
});

test.each(["0", "-1", "9999999", "x", "1&page=2", ""])(
  "the list of a merchant's shops begins with the first page if the page parameter is %j",
  (text) => {
    expect(listOf(SIX, "", pageNumber(text)).page).toBe(1);
  },
);
