import { describe, expect, test } from "vitest";
import { endpointUrlProblem } from "./endpoint-url.ts";

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
    ["https://a.localhost/", /public name/],
    ["https://a.localhost./", /public name/],
    ["https://redis/", /public name/],
    ["https://user@hooks.acme.example/", /user name/],
    ["https://user:pw@hooks.acme.example/", /user name/],
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
    ["https://127.0.0.1./", /127\.0\.0\.1, which is not/],
    ["https://127.1/", /127\.0\.0\.1/],
    ["https://2130706433/", /127\.0\.0\.1/],
    ["https://0x7f000001/", /127\.0\.0\.1/],
    ["https://0x7f.0x0.0x0.0x1/", /127\.0\.0\.1/],
    ["https://0177.0.0.01/", /127\.0\.0\.1/],
    ["https://%31%32%37.0.0.1/", /127\.0\.0\.1/],
    ["https://①②⑦.0.0.1/", /127\.0\.0\.1/],
    ["https://0/", /0\.0\.0\.0/],
    ["https://169.254.169.254/latest/meta-data", /169\.254\.169\.254/],
    ["https://2852039166/", /169\.254\.169\.254/],
    ["https://[::1]/", /::1/],
    ["https://[::]/", /::/],
    ["https://[::ffff:127.0.0.1]/", /::ffff:7f00:1/],
    ["https://[::ffff:8.8.8.8]/", /not a public/],
    ["https://[64:ff9b::7f00:1]/", /not a public/],
    ["https://[fe80::1]/", /not a public/],
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
