import { readFileSync } from "node:fs";
import newman, { type NewmanRunSummary } from "newman";
import { expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey, REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { mainStack } from "../harness/stack/stacks.ts";

const stack = mainStack();
const COLLECTION = new URL("../../packages/public-api/postman.json", import.meta.url);

const readCollection = () => JSON.parse(readFileSync(COLLECTION, "utf8"));

interface Item {
  readonly item?: readonly Item[];
}

const requestsIn = ({ item }: Item): number => item?.reduce((sum, inner) => sum + requestsIn(inner), 0) ?? 1;

type Variables = Readonly<Record<string, string>>;

interface Run {
  readonly summary: NewmanRunSummary;
  /** The addresses that were asked. */
  readonly urls: readonly string[];
  /** The collection's variables after the last script. */
  readonly variables: Variables;
}

/** Runs requests and folders of the collection, filled in as a user would. */
function run(folder: string[], filledIn: Variables): Promise<Run> {
  const collection = readCollection();
  for (const variable of collection.variable) variable.value = filledIn[variable.key] ?? variable.value;
  const urls: string[] = [];
  let variables: Variables = filledIn;
  return new Promise((resolve, reject) => {
    newman
      .run({ collection, folder }, (error, summary) => (error ? reject(error) : resolve({ summary, urls, variables })))
      .on("request", (_error, { request }) => urls.push(String(request.url)))
      // biome-ignore lint/suspicious/noExplicitAny: newman's types don't have this event
      .on("script" as any, (_error: unknown, { execution }: any) => {
        const kept = execution?.collectionVariables?.values ?? [];
        variables = { ...variables, ...Object.fromEntries(kept.map(({ key, value }: Variables) => [key, value])) };
      });
  });
}

const failuresOf = ({ run: { failures } }: NewmanRunSummary): string[] =>
  failures.map(({ source, error }) => `${source?.name}: ${error.message}`);

test("the Postman collection connects a shop with PKCE and asks everything, by a token and by an API key", async () => {
  const { client, merchant, advancedShop } = await onboard(stack);
  const { key } = await onboardApiKey(stack, advancedShop);
  const filledIn = {
    base_url: stack.base_url,
    client_id: client.clientId,
    client_secret: client.secret,
    redirect_uri: REDIRECT_URI,
    scope: "responses:read sources:write",
    api_key: key,
  };
  const begun = await run(["authorize"], filledIn);
  expect(failuresOf(begun.summary)).toEqual([]);
  const [authorizeUrl = ""] = begun.urls;
  const arrived = new URL(await merchantBrowser(merchant).approve(authorizeUrl, advancedShop));
  expect(arrived.searchParams.get("state")).toBe(begun.variables["state"]);

  const tokenRequests = ["A code for tokens", "A new access token", "A new access token for less", "Many in one call"];
  const chapters = ["Connections", "Connection", "Responses", "Questions", "Sources", "Discovery", "With an API key"];
  const code = arrived.searchParams.get("code") ?? "";
  const asked = await run([...tokenRequests, ...chapters], {
    ...filledIn,
    ...begun.variables,
    code,
  });
  expect(failuresOf(asked.summary)).toEqual([]);
  const ended = await run(["End this connection"], { ...filledIn, ...asked.variables });
  expect(failuresOf(ended.summary)).toEqual([]);
  expect(asked.summary.run.stats.requests.total).toBe(requestsIn(readCollection()) - 2);
});
