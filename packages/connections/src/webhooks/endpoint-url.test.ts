import fc from "fast-check";
import { expect, test } from "vitest";
import { endpointUrlProblem, isPublicAddress, publicAddresses } from "./endpoint-url.ts";

const inProduction = { allowLoopback: false };
const inDevelopment = { allowLoopback: true };

test("the URL of an endpoint may have any public host", () => {
  const urls = `
      https://hooks.acme.example/partner-connect https://hooks.acme.example:8443/a?b=c
      https://8.8.8.8/ https://[2606:4700::1111]/hook HTTPS://HOOKS.ACME.EXAMPLE
      https://hooks.acme.example./a https://hooks.acme.example:1024//@a
      https://a.localhost.example/${"a".repeat(472)}`
    .trim()
    .split(/\s+/);
  expect(urls.filter((url) => endpointUrlProblem(url, inProduction))).toEqual([]);
});

test("if an endpoint's URL is malformed or its host isn't public, the error names the problem", () => {
  const refused: [string, RegExp][] = [
    ["", /not an https/],
    ["hooks.acme.example", /not an https/],
    ["ftp://hooks.acme.example/", /not an https/],
    ["https:hooks.acme.example", /not an https/],
    ["view-source:https://hooks.acme.example", /not an https/],
    ["https:///hooks.acme.example", /not an https/],
    ["http://hooks.acme.example/", /is http/],
    ["https://localhost/", /public name/],
    ["https://LOCALHOST./", /public name/],
    ["https://app.localhost/", /public name/],
    ["https://hooks.acme.example../", /public name/],
    ["https://redis/", /public name/],
    ["https://@hooks.acme.example/", /user name/],
    ["https://hooks.acme.example/#a", /fragment/],
    ["https://hooks.acme.example:25/", /port/],
    ["https://hooks.acme.example:0/", /port/],
    ["https://hooks.acme.example:65536/", /valid/],
    ["https://hooks.acme.example/a b", /valid/],
    ["https://hooks.acme.example/\n", /valid/],
    ["https://hooks.acme.example/\u202e", /valid/],
    ["https://hooks..acme.example/", /public name/],
    [`https://hooks.acme.example/${"a".repeat(474)}`, /longer than 500/],
    ["https://127.0.0.1/", /127\.0\.0\.1, which is not/],
    ["https://127.1/", /127\.0\.0\.1/],
    ["https://2130706433/", /127\.0\.0\.1/],
    ["https://0177.0.0.01/", /127\.0\.0\.1/],
    ["https://%31%32%37.0.0.1/", /127\.0\.0\.1/],
    ["https://①②⑦.0.0.1/", /127\.0\.0\.1/],
    ["https://0/", /0\.0\.0\.0/],
    ["https://169.254.169.254/latest/meta-data", /169\.254\.169\.254/],
    ["https://[::1]/", /::1/],
    ["https://[::ffff:127.0.0.1]/", /::ffff:7f00:1/],
    ["https://[fe80::1%25eth0]/", /valid/],
  ];
  for (const [url, problem] of refused)
    expect.soft(endpointUrlProblem(url, inProduction), url).toMatch(problem);
});

test("in development, an endpoint's URL may use localhost, and http only on localhost", () => {
  const own = `
      http://localhost:3000/hook http://127.0.0.1:8000 http://[::1]:3000/ https://localhost/
      http://app.localhost/ http://127.10.20.30/`
    .trim()
    .split(/\s+/);
  const others = `
      http://hooks.acme.example/ http://10.0.0.1/ http://localhost.acme.example/
      http://a@localhost/ http://thelocalhost/`
    .trim()
    .split(/\s+/);
  expect([...own, ...others].filter((url) => endpointUrlProblem(url, inDevelopment))).toEqual(
    others,
  );
});

test("a literal address, or localhost in development, is resolved without DNS", async () => {
  const v4 = { address: "127.0.0.1", family: 4 };
  const v6 = { address: "::1", family: 6 };
  expect(await publicAddresses("http://localhost/", inDevelopment)).toEqual([v4, v6]);
  expect(await publicAddresses("http://[::1]/", inDevelopment)).toEqual([v6]);
  expect(await publicAddresses("https://8.8.8.8/", inProduction)).toEqual([
    { address: "8.8.8.8", family: 4 },
  ]);
  await expect(publicAddresses("https://127.0.0.1/", inProduction)).rejects.toMatchObject({
    code: "INVALID_WEBHOOK_URL",
    message: 'the URL "https://127.0.0.1/" has 127.0.0.1, which is not a public address',
  });
});

test("private, reserved and multicast addresses are not public", () => {
  // Private, shared, metadata (clouds' too), documentation, IPv4 in IPv6, multicast, reserved.
  const others = `
      0.0.0.0 10.255.255.255 172.16.0.1 172.31.255.254 192.168.1.1 100.64.0.1 100.100.100.200
      127.0.0.1 127.255.255.254 ::1 169.254.169.254 168.63.129.16 192.0.0.192 192.0.2.1
      203.0.113.9 2001:db8::1 3fff::1 192.88.99.1 198.19.0.1 224.0.0.1 ff02::1
      240.0.0.1 255.255.255.255 :: ::ffff:8.8.8.8 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1
      64:ff9b::808:808 64:ff9b:1::a00:1 100::1 2001:0:7f00:1::1 2002:7f00:1:: 5f00::1 fc00::1
      fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1%eth0 fec0::1 example.com`;
  expect(others.trim().split(/\s+/).filter(isPublicAddress)).toEqual([]);
});

test("addresses just outside a reserved range are public", () => {
  const addresses = `
      8.8.8.8 172.32.0.1 100.128.0.1 223.255.255.255 2606:4700::1111 2a00:1450::8`
    .trim()
    .split(/\s+/);
  expect(addresses.filter(isPublicAddress)).toEqual(addresses);
});

test("no IPv4 address that is embedded in IPv6 is public", () => {
  const prefixes = ["::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "2002:"];
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (four, prefix) => {
      const [a = 0, b = 0, c = 0, d = 0] = four.split(".").map(Number);
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      expect(isPublicAddress(prefix === "2002:" ? `2002:${hex}::1` : `${prefix}${hex}`)).toBe(
        false,
      );
    }),
  );
});
