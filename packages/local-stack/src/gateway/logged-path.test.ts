import { expect, test } from "vitest";
import { loggedPath } from "./hosts.ts";

test.each([
  ["/oauth/api/token", "/oauth/api/token..."],
  ["/oauth/api/token/batch", "/oauth/api/token/batch..."],
  ["/oauth/api/changes?after=secret", "/oauth/api/changes..."],
  ["/api/responses?starting_after=secret", "/api/responses..."],
  ["/oauth/api/authorize?state=secret", "/oauth/api/authorize..."],
  ["/oauth/api/token/secret", "/oauth/..."],
  ["/oauth/reset-password?link=secret", "/oauth/..."],
  ["/api/secret", "/api/..."],
  ["/secret", "..."],
  ["/", "..."],
  [undefined, "..."],
])("of %s is logged %s", (url, path) => {
  expect(loggedPath(url)).toBe(path);
});
