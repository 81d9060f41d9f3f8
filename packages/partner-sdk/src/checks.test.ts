import { expect, test } from "vitest";
import { checkedBaseUrl } from "./checks.ts";
import { InvalidBaseUrl } from "./errors.ts";

const TAKEN = [
  ["https://connect.example", "https://connect.example"],
  ["https://connect.example/", "https://connect.example"],
  ["https://connect.example:8443/survey//", "https://connect.example:8443/survey"],
  ["http://localhost:8080", "http://localhost:8080"],
  ["http://auth.localhost:8080/", "http://auth.localhost:8080"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://127.8.9.1", "http://127.8.9.1"],
  ["http://[::1]:8080", "http://[::1]:8080"],
];
test("https URLs and http URLs of localhost are accepted as a base URL, without trailing slashes", () => {
  for (const [text = "", url] of TAKEN) expect(checkedBaseUrl(text)).toBe(url);
});

const REFUSED = [
  ["http://connect.example", "plain http over a network"],
  ["http://localhost.example", "a name that begins like this machine"],
  ["http://127.0.0.1.example", "a name that begins like an address of this machine"],
  ["http://10.0.0.1", "an address of a network"],
  ["http://[::2]", "another address"],
  ["ftp://connect.example", "another protocol"],
  ["connect.example", "no protocol"],
  ["", "nothing"],
  ["https://user:secret@connect.example", "credentials"],
  ["https://connect.example?x=y", "a query"],
  ["https://connect.example#x", "a fragment"],
];
test("a base URL is refused if its protocol is unsafe, or if it has credentials, a query or a fragment", () => {
  for (const [text = "", what] of REFUSED)
    expect(() => checkedBaseUrl(text), what).toThrow(InvalidBaseUrl);
});
