import { expect, test } from "vitest";
import { forwardedAddresses } from "./http-server.ts";

test.each([
  ["192.0.2.7", ["192.0.2.7"]],
  ["192.0.2.7, 2001:db8::1", ["192.0.2.7", "2001:db8::1"]],
  ["192.0.2.7:5678,198.51.100.1:80", ["192.0.2.7", "198.51.100.1"]],
  ["[2001:db8::1]:5678, [2001:db8::2]", ["2001:db8::1", "2001:db8::2"]],
  ["::ffff:192.0.2.7", ["::ffff:192.0.2.7"]],
  ["192.0.2.7, unknown", []],
  ["unknown, 192.0.2.7", ["192.0.2.7"]],
  ["192.0.2.7, _hidden, 198.51.100.1", ["198.51.100.1"]],
  ["999.0.0.1:80", []],
  ["192.0.2.7:port", []],
  ["", []],
  [", ,", []],
])("%j names %j", (header, addresses) => {
  expect(forwardedAddresses(header)).toEqual(addresses);
});
