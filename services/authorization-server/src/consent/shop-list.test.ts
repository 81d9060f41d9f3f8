import { describe, expect, test } from "vitest";
import { shopList, shopOffer } from "./shop-offers.ts";

const EN = "en";
const ASKING = { requested: ["responses:read"], clientScope: ["responses:read"] } as const;

function offers(...names: readonly string[]) {
  return names.map((name, index) => {
    const [shopName = "", domain = null] = name.split(" @");
    return shopOffer({ id: `shop_${index}`, name: shopName, domain, plan: "standard" }, ASKING, null);
  });
}

const names = (...list: Parameters<typeof shopList>) => shopList(...list).listed.map(({ shop }) => shop.name);

const SIX = offers("Café Öl", "Café Rio", "Fern", "Store 10", "Store 2 @two.example", "ＳＴＯＲＥ 1");

describe("the shops on the consent page", () => {
  test("have their natural order, 2 before 10, in the reader's language", () => {
    expect(names(offers("Store 10", "Store 2", "Store 1"), "", EN)).toEqual(["Store 1", "Store 2", "Store 10"]);
    expect(names(offers("Zebra", "Ärta"), "", "sv")).toEqual(["Zebra", "Ärta"]);
  });

  test("are a long list above five, which can be searched", () => {
    expect(shopList(offers("1", "2", "3", "4", "5"), "2", EN)).toMatchObject({ isLong: false, search: "", all: 5 });
    expect(shopList(SIX, " fern ", EN)).toMatchObject({ isLong: true, search: "fern", all: 6 });
  });

  test.each([
    ["store", ["ＳＴＯＲＥ 1", "Store 2", "Store 10"]],
    ["CAFE ol", ["Café Öl"]],
    ["two.exam", ["Store 2"]],
    ["2 store", ["Store 2"]],
    ["<b>", []],
    ["   ", ["Café Öl", "Café Rio", "Fern", "ＳＴＯＲＥ 1", "Store 2", "Store 10"]],
  ])("are found by %j, whatever its case, accents and width", (search, found) => {
    expect(names(SIX, search, EN).toSorted()).toEqual(found.toSorted());
  });
});
