import stringWidth from "string-width";
import { expect, test } from "vitest";
import { print, type Screen } from "./screen.ts";
import { type Cell, cutColumn, extraColumn, table } from "./table.ts";

const WHOLE: Screen = { width: Number.POSITIVE_INFINITY, exactTimes: true, colour: false };
const COLUMNS = [
  "ID",
  cutColumn("CLIENT"),
  cutColumn("SHOP"),
  "STATUS",
  extraColumn("CLIENT ID"),
  extraColumn("SCOPE"),
];
const ROW: readonly Cell[] = [
  "con_0195a1b2c3d4e5f60718293a4b5c6d7e",
  "Acme Analytics for Growing Shops",
  "Hats",
  "connected",
  "client_5d2c0011223344556677889",
  "responses:read sources:write",
];

const lines = (screen: Partial<Screen>, rows: readonly (readonly Cell[])[] = [ROW]): string[] =>
  print(table(COLUMNS, rows, "none"), { ...WHOLE, ...screen }).split("\n");

test("a table is whole where no terminal limits it", () => {
  const [head, row] = lines({});
  expect(head).toMatch(/^ID +CLIENT +SHOP +STATUS +CLIENT ID +SCOPE$/);
  expect(row).toBe(ROW.join("  "));
});

test.each([160, 120, 100, 80, 73])("at %i columns no line is longer, and the id is whole", (width) => {
  for (const line of lines({ width })) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  expect(lines({ width })[1]).toMatch(/^con_0195a1b2c3d4e5f60718293a4b5c6d7e {2}.*connected/);
});

test("the last of the columns that may go are left out first, then texts are cut", () => {
  expect(lines({ width: 120 })[0]).toMatch(/STATUS +CLIENT ID$/);
  expect(lines({ width: 80 })).toEqual([
    "ID                                    CLIENT                     SHOP  STATUS",
    "con_0195a1b2c3d4e5f60718293a4b5c6d7e  Acme Analytics for Growi…  Hats  connected",
    "(--wide shows 2 more columns)",
  ]);
});

test("texts are as wide as they look, and cut between characters", () => {
  const wide = [ROW[0] ?? "", "株式会社レスポンス分析研究所", "Hats", "connected", "c", "s"];
  const emoji = [
    ROW[0] ?? "",
    "👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧",
    "Hats",
    "connected",
    "c",
    "s",
  ];
  const found = lines({ width: 68 }, [wide, emoji]);
  expect(new Set(found.slice(1, -1).map((line) => stringWidth(line)))).toEqual(new Set([68]));
  expect(found[1]).toContain("  株式会社レス…");
  expect(found[2]).toContain("  👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧…");
});

test("times are relative for a reader, and exact elsewhere", () => {
  const time = new Date(Date.now() - 3 * 3_600_000);
  const shown = (screen: Partial<Screen>) => print(table(["AT"], [[time], [null]], "none"), { ...WHOLE, ...screen });
  expect(shown({ exactTimes: false })).toBe("AT\n3 h ago\n-");
  expect(shown({})).toBe(`AT\n${time.toISOString()}\n-`);
});

test("colour is there where it is wanted, and takes no room", () => {
  const rows: Cell[][] = [[{ text: "connected", style: "green" }, "x"]];
  const shown = (colour: boolean) => print(table(["STATUS", "A"], rows, "none"), { ...WHOLE, colour });
  expect(shown(false)).toBe("STATUS     A\nconnected  x");
  expect(shown(true)).toBe("\x1b[1mSTATUS     A\x1b[22m\n\x1b[32mconnected\x1b[39m  x");
});
