import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { accentRule, initialIcon, productColor, productLogo, productName } from "./product.ts";

const folder = temporaryFolder(afterAll);

function file(content: string | Buffer): string {
  const path = join(folder, "logo");
  writeFileSync(path, content);
  return path;
}

test("a readable accent colour is used unchanged on light pages and mixed with white on dark pages", () => {
  expect(productColor("#12564b")).toEqual({ value: "#12564b" });
  expect(accentRule("#12564b")).toContain(
    "--accent: light-dark(#12564b, color-mix(in srgb, #12564b, white 60%));",
  );
});

test.each([
  ["#666666", "suffices"],
  ["#6b6b6b", "is too low"],
  ["#0000ff", "suffices"],
  ["#ffcc00", "is too low"],
])("the contrast of the accent colour %s with the page %s", (color, outcome) => {
  expect("value" in productColor(color)).toBe(outcome === "suffices");
});

test.each(["green", "#fff", "12564b", "#12564g", "#12564b;} body{"])(
  "the malformed accent colour %s is refused",
  (text) => {
    expect(productColor(text)).toEqual({ problem: `is not a colour such as #12564b: ${text}` });
  },
);

const svg =
  '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"><path fill="url(#a)"/></svg>';

test.each([
  ["image/png", Buffer.from("\x89PNG\r\n\x1a\n and pixels", "latin1")],
  ["image/webp", Buffer.from("RIFF\x01\x02\x03\x04WEBP and pixels", "latin1")],
  ["image/svg+xml", Buffer.from(svg)],
])("a product logo of the type %s is recognised by its content", (type, content) => {
  expect(productLogo(file(content))).toEqual({
    value: expect.objectContaining({ type, content }),
  });
});

test("if no logo is set, the product's logo is the name's initial on the accent colour", () => {
  expect(initialIcon("étude & Co", "#7a1f5c")).toMatch(/ fill="#7a1f5c"\/>.*>É<\/text>/);
  expect(initialIcon("& Co", "#7a1f5c")).toContain(">&amp;</text>");
});

const MORE = "an SVG with more than a drawing";
const drawn = (part: string): [string, string] => [MORE, svg.replace("<path", part)];
test.each<[string, string | Buffer]>([
  ["not a PNG, WebP or SVG image", "<html><svg></svg></html>"],
  ["not a PNG, WebP or SVG image", Buffer.from([0xff, 0xd8, 0xff])], // a JPEG
  ["a file of more than 64 KB", Buffer.alloc(65_537)],
  drawn("<script>1</script><path"),
  drawn("<path onclick='1'"),
  drawn('<a href="https://a.example"/><path'),
  [MORE, svg.replace("#a", "https://a.example/#a")],
])("the product's logo is refused as %s (row %#)", (problem, content) => {
  const expected = { problem: expect.stringContaining(`is ${problem}`) };
  expect(productLogo(file(content as string))).toEqual(expected);
});

test("the product's logo is refused if the file is missing", () => {
  expect(productLogo(join(folder, "nothing"))).toEqual({ problem: "can't be read: ENOENT" });
});

test.each([
  ["Fern & Field’s Surveys", null],
  ["<b>Surveys</b>", 'has one of < > " ` { }'],
  ["Surveys {$HOME}", 'has one of < > " ` { }'],
  ["Sur\u200bveys", "has characters that nobody can see, or spaces around it"],
  [" ", "has characters that nobody can see, or spaces around it"],
  ["x".repeat(51), "has more than 50 characters"],
])("the check of the product's name %j reports %j", (name, problem) => {
  expect(productName(name)).toEqual(problem === null ? { value: name } : { problem });
});
