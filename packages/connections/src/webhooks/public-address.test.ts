import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./endpoint-url.ts";

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
