import type { DescribedDocument } from "../document/described-document.ts";
import { LOCAL_URL } from "../tool-files.ts";
import { API_KEY_AUTH, OAUTH_AUTH } from "./authentication.ts";
import { requestItem } from "./request-item.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** What a user fills in, and what the requests keep from one another. */
const VARIABLES: readonly (readonly [key: string, value: string, description: string])[] = [
  ["base_url", LOCAL_URL, "The address that you were given."],
  ["client_id", "", "Of your client."],
  ["client_secret", "", "Of your client. Keep it among the secrets of an environment rather than here."],
  ["redirect_uri", "http://localhost:3000/callback", "One that is registered for your client."],
  ["scope", "responses:read", "What you ask for."],
  ["api_key", "", "Of your own shop, for the folder 'With an API key'."],
  ["state", "", "Made by 'authorize'."],
  ["code_verifier", "", "Made by 'authorize'."],
  ["code_challenge", "", "Made by 'authorize'."],
  ["code", "", "What the browser brought to your redirect URI."],
  ["access_token", "", "Kept by the token requests."],
  ["refresh_token", "", "Kept by 'Of an exchange'."],
];

const DESCRIPTION = `Fill in the variables \`base_url\`, \`client_id\`, \`client_secret\` and \`redirect_uri\`. Then either

- open the collection's *Authorization* tab and press *Get New Access Token*: Postman runs the flow with PKCE; or
- send *authorize*, open its address in a browser, approve, put the \`code\` from the address bar into the variable, and send *A code for tokens*.

With a shop's own API key, use the folder *With an API key*: it needs nothing else.`;

export function postmanCollection({ info, tags, paths }: DescribedDocument): object {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const folders = tags.map(({ name, description }) => ({
    name,
    description,
    item: operations.filter(({ operation }) => operation.tags.includes(name)).flatMap(requestItem),
  }));
  const reading = operations.filter(
    ({ method, operation }) => method === "get" && operation.security.some((scheme) => "api_key" in scheme),
  );
  const withKey = {
    name: "With an API key",
    description: "For a merchant's own shop: the key alone is the header's value.",
    auth: API_KEY_AUTH,
    item: reading.flatMap(requestItem),
  };
  return {
    info: {
      name: info.title,
      description: `${DESCRIPTION}\n\n${info.description}`,
      version: info.version,
      schema: SCHEMA,
    },
    auth: OAUTH_AUTH,
    variable: VARIABLES.map(([key, value, description]) => ({ key, value, type: "string", description })),
    item: [...folders, withKey],
  };
}
