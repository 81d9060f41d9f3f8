import { beforeAll, describe, expect, test } from "vitest";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";

const replicas = await suiteReplicas(1);
let client: RegisteredClient;

beforeAll(async () => {
  client = await replicas.registerClient();
});

const app = () => replicas.apps[0] ?? expect.fail("no replica");
const FORM = "application/x-www-form-urlencoded";

describe("token request", () => {
  test("parameters in the query do not count, and a charset beside the content type is fine", async () => {
    const send = (query: string, payload: string) =>
      app().inject({
        method: "POST",
        url: `/oauth/api/token${query}`,
        headers: { authorization: basic(client), "content-type": `${FORM}; charset=UTF-8` },
        payload,
      });
    const form = "grant_type=refresh_token&refresh_token=a";
    expect((await send(`?${form}`, "")).json().error).toBe("invalid_request");
    expect((await send("", form)).json().error).toBe("invalid_grant");
  });

  test("errors are JSON whatever Accept says, and an Origin changes nothing", async () => {
    const response = await app().inject({
      method: "POST",
      url: "/oauth/api/token",
      headers: { accept: "text/html", origin: "https://evil.example", "content-type": FORM },
      payload: "grant_type=refresh_token",
    });
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
    expect(response.json().error).toBe("invalid_client");
  });

  test.each(["GET", "HEAD"] as const)("%s is 405 and shares the bucket", async (method) => {
    const response = await app().inject({ method, url: "/oauth/api/token" });
    expect(response.statusCode).toBe(405);
    expect(response.headers["allow"]).toBe("POST");
    expect(response.headers["x-ratelimit-limit"]).toBe("1000000");
  });

  test.each(["/oauth/api/token/", "/oauth/api/TOKEN", "//oauth/api/token", "/oauth//api/token"])(
    "%s is not the token endpoint",
    async (url) => {
      expect((await app().inject({ method: "POST", url })).statusCode).toBe(404);
    },
  );
});
