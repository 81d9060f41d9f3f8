import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpointUrlProblem, isPublicAddress } from "./endpoint-url.ts";

const inProduction = { allowLoopback: false };
const inDevelopment = { allowLoopback: true };

describe("an endpoint's URL", () => {
  test.each([
    "https://hooks.acme.example/partner-connect",
    "https://hooks.acme.example:8443/a?b=c",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/hook",
    "HTTPS://HOOKS.ACME.EXAMPLE",
    "https://hooks.acme.example./a",
  ])("%s can be one", (url) => expect(endpointUrlProblem(url, inProduction)).toBeNull());

  test.each([
    ["", /not an https/],
    ["hooks.acme.example", /not an https/],
    ["ftp://hooks.acme.example/", /not an https/],
    ["https:hooks.acme.example", /not an https/],
    ["https:///hooks.acme.example", /not an https/],
    ["https:\\\\hooks.acme.example\\a", /not an https/],
    ["http://hooks.acme.example/", /is http/],
    ["http://localhost:3000/", /is http/],
    ["https://localhost/", /public name/],
    ["https://LOCALHOST./", /public name/],
    ["https://a.localhost./", /public name/],
    ["https://redis/", /public name/],
    ["https://user@hooks.acme.example/", /user name/],
    ["https://@hooks.acme.example/", /user name/],
    ["https://hooks.acme.example/#a", /fragment/],
    ["https://hooks.acme.example:25/", /port/],
    ["https://hooks.acme.example:80/", /port/],
    ["https://hooks.acme.example:0/", /port/],
    ["https://hooks.acme.example:65536/", /valid/],
    ["https://hooks.acme.example/a b", /valid/],
    ["https://hooks.acme.example/\n", /valid/],
    ["https://hooks.acme.example/\u202e", /valid/],
    ["https://hooks..acme.example/", /public name/],
    [`https://hooks.acme.example/${"a".repeat(500)}`, /longer than 500/],
    ["https://127.0.0.1/", /127\.0\.0\.1, which is not/],
    ["https://127.1/", /127\.0\.0\.1/],
    ["https://2130706433/", /127\.0\.0\.1/],
    ["https://0x7f.0x0.0x0.0x1/", /127\.0\.0\.1/],
    ["https://0177.0.0.01/", /127\.0\.0\.1/],
    ["https://%31%32%37.0.0.1/", /127\.0\.0\.1/],
    ["https://①②⑦.0.0.1/", /127\.0\.0\.1/],
    ["https://0/", /0\.0\.0\.0/],
    ["https://169.254.169.254/latest/meta-data", /169\.254\.169\.254/],
    ["https://[::1]/", /::1/],
    ["https://[::ffff:127.0.0.1]/", /::ffff:7f00:1/],
    ["https://[fe80::1%25eth0]/", /valid/],
  ])("%s can't be one", (url, problem) => expect(endpointUrlProblem(url, inProduction)).toMatch(problem));

  test.each([
    "http://localhost:3000/hook",
    "http://127.0.0.1:8000",
    "http://[::1]:3000/",
    "https://localhost/",
    "http://app.localhost/",
  ])("%s can be one in development", (url) => expect(endpointUrlProblem(url, inDevelopment)).toBeNull());

  test.each([
    "http://hooks.acme.example/",
    "http://10.0.0.1/",
    "http://localhost.acme.example/",
    "http://a@localhost/",
  ])("%s can't even there", (url) => expect(endpointUrlProblem(url, inDevelopment)).not.toBeNull());
});

describe("an address is public by its number", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["private", "10.255.255.255"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.254"],
    ["private", "192.168.1.1"],
    ["shared", "100.64.0.1"],
    ["shared: Alibaba's metadata", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["metadata", "169.254.169.254"],
    ["Azure's metadata", "168.63.129.16"],
    ["Oracle's metadata", "192.0.0.192"],
    ["documentation", "192.0.2.1"],
    ["6to4 relays", "192.88.99.1"],
    ["benchmarks", "198.19.0.1"],
    ["documentation", "203.0.113.9"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["mapped", "::ffff:8.8.8.8"],
    ["mapped", "::ffff:7f00:1"],
    ["compatible", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64", "64:ff9b::808:808"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["discard only", "100::1"],
    ["Teredo", "2001:0:7f00:1::1"],
    ["documentation", "2001:db8::1"],
    ["6to4", "2002:7f00:1::"],
    ["documentation", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["unique local", "fc00::1"],
    ["unique local: AWS's metadata", "fd00:ec2::254"],
    ["link-local", "fe80::1"],
    ["with a zone", "fe80::1%eth0"],
    ["with a zone", "2606:4700::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["no address", "example.com"],
  ])("%s: %s is not", (_, address) => expect(isPublicAddress(address)).toBe(false));

  test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::8"])(
    "%s is",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test("no IPv4 in IPv6 is one, in whatever way it is embedded", () => {
    const prefixes = ["::ffff:", "::", "64:ff9b::", "64:ff9b:1::", "2002:"];
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (four, prefix) => {
        const [a = 0, b = 0, c = 0, d = 0] = four.split(".").map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(isPublicAddress(prefix === "2002:" ? `2002:${hex}::1` : `${prefix}${hex}`)).toBe(false);
      }),
    );
  });
});
