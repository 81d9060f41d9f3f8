import { describe, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const METADATA = "/.well-known/oauth-authorization-server";

describe("the metadata (RFC 8414)", () => {
  test("leaves out what is not there: no OpenID Connect, no registration, no introspection", async () => {
    for (const path of [
      "/oauth/api/userinfo",
      "/oauth/api/introspect",
      "/oauth/api/register",
      "/oauth/api/par",
      "/oauth/api/device",
      "/oauth/api/session/end",
    ]) {
      expect([path, (await send(`${stack.base_url}${path}`)).status]).toEqual([path, 404]);
      expect([path, (await send(`${stack.base_url}${path}`, { method: "POST" })).status]).toEqual([path, 404]);
    }
  });
});

describe("the metadata of the API (RFC 9728)", () => {
  const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

  test("names the API and its authorization server, with /api at the end and without", async () => {
    for (const path of [`${RESOURCE_METADATA}/api`, RESOURCE_METADATA]) {
      for (const url of [stack.base_url, stack.api_url, ...stack.resource_server_urls]) {
        const { status, headers, json } = await send(`${url}${path}`);
        expect([status, headers["cache-control"], json()]).toEqual([
          200,
          "public, max-age=300",
          {
            resource: `${stack.base_url}/api`,
            authorization_servers: [stack.base_url],
            scopes_supported: ["responses:read", "sources:write"],
            bearer_methods_supported: ["header"],
            resource_name: "Partner Connect API",
            resource_documentation: `${stack.base_url}/docs`,
          },
        ]);
      }
    }
  });

  test("is named by every refusal that asks for a credential; from there a client finds the token endpoint", async () => {
    const { status, headers } = await send(`${stack.base_url}/api/responses`);
    const [, url = ""] = /resource_metadata="([^"]+)"/.exec(String(headers["www-authenticate"])) ?? [];
    expect([status, url]).toEqual([401, `${stack.base_url}${RESOURCE_METADATA}/api`]);
    const resource = (await send(url)).json();
    const [server] = resource.authorization_servers;
    expect((await send(`${server}${METADATA}`)).json().token_endpoint).toBe(`${stack.base_url}/oauth/api/token`);
  });
});
