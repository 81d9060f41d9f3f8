import { beforeAll, describe, expect, test } from "vitest";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { basic, callToken } from "../testing/token-calls.ts";

const replicas = await suiteReplicas(1);
let client: RegisteredClient;

beforeAll(async () => {
  client = await replicas.registerClient();
});

const app = () => replicas.apps[0] ?? expect.fail("no replica");
const FORM = "application/x-www-form-urlencoded";

async function send(contentType: string | undefined, payload: string) {
  const headers = { authorization: basic(client), ...(contentType && { "content-type": contentType }) };
  const response = await app().inject({ method: "POST", url: "/oauth/api/token", headers, payload });
  return { status: response.statusCode, error: response.json().error, headers: response.headers };
}

describe("token request", () => {
  const invalid: [string, string | undefined, string][] = [
    ["an empty body", FORM, ""],
    ["an empty grant_type", FORM, "grant_type="],
    ["a duplicated parameter", FORM, "grant_type=refresh_token&refresh_token=a&refresh_token=a"],
    ["broken JSON", "application/json", "{"],
    ["a content type that is none", ";", "grant_type=refresh_token"],
    ["a multipart body", "multipart/form-data; boundary=x", "--x--"],
    ["a body without a type", undefined, "grant_type=refresh_token"],
    ["an exchange without its code", FORM, "grant_type=authorization_code&redirect_uri=a&code_verifier=b"],
    ["an exchange without redirect_uri", FORM, "grant_type=authorization_code&code=a&code_verifier=b"],
    ["an exchange without code_verifier", FORM, "grant_type=authorization_code&code=a&redirect_uri=b"],
  ];

  test.each(invalid)("%s is invalid_request", async (_name, contentType, payload) => {
    const { status, error, headers } = await send(contentType, payload);
    expect({ status, error }).toEqual({ status: 400, error: "invalid_request" });
    expect(headers["cache-control"]).toBe("no-store");
  });

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

  test.each(["password", "client_credentials", "implicit", "constructor", "Refresh_Token", "refresh_token "])(
    "grant type %j is unsupported_grant_type",
    async (grantType) => {
      const { status, body } = await callToken(app(), client, { grant_type: grantType });
      expect({ status, error: body.error }).toEqual({ status: 400, error: "unsupported_grant_type" });
    },
  );

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

  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] as const)("%s is 405 and shares the bucket", async (method) => {
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
