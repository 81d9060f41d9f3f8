import { type ApiDocument, operationsIn } from "@partner-connect/contract/testing";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { deleteResponses, importQuestions, importResponses } from "@partner-connect/survey-data";
import { vi } from "vitest";
import { Authenticator } from "../authentication/authenticate.ts";
import { EXAMPLE_QUESTION } from "../questions/question-fields.ts";
import { EXAMPLE_RESPONSES } from "../responses/response-fields.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";

/** How a request differs from a plain one of its operation with the shop's access token. */
export interface Asking {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Null: none. */
  readonly authorization?: string | null;
}

export type Ask = (operationId: string, asking?: Asking) => Promise<Response>;

/** Servers on which every answer of the document can be had. */
export interface ExampleWorld {
  readonly server: TestResourceServer;
  readonly shop: TestShop;
  /** Of the shop that has what the examples show. */
  readonly ask: Ask;
  /** Of a connection that was revoked. */
  readonly askRevoked: Ask;
  /** Of a shop whose calls of this minute are used up. */
  readonly askTooOften: Ask;
  /** While Postgres is away. */
  readonly askWithoutPostgres: Ask;
  /** While our code has a defect. */
  readonly askWithDefect: Ask;
  close(): Promise<void>;
}

const DELETED = "res_018cc5f11a7c7e90a3b4c5d6e7f80912";

export async function exampleWorld(): Promise<ExampleWorld> {
  const server = await testResourceServer();
  const [strict, away] = await Promise.all([
    testResourceServer({ sharedWith: server, apiRateLimit: 1 }),
    testResourceServer({ sharedWith: server, databaseUrl: (url) => url.replace(/:\d+\//, ":1/") }),
  ]);
  const newShop = () => server.newShop({ plan: "advanced_attribution" });
  const [shop, revoked, busy] = [await newShop(), await newShop(), await newShop()];
  await fill(server, shop);
  await server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${revoked.connectionId}`;
  const ask = asking(server, shop);
  return {
    server,
    shop,
    ask,
    askRevoked: asking(server, revoked),
    async askTooOften(operation, options) {
      await strict.get("/api/connection", busy.apiKey);
      return await asking(strict, busy)(operation, { authorization: busy.apiKey, ...options });
    },
    askWithoutPostgres: asking(away, shop),
    async askWithDefect(operation, options) {
      const defect = vi.spyOn(Authenticator.prototype, "authenticate").mockRejectedValue(new TypeError("a defect"));
      return await ask(operation, options).finally(() => defect.mockRestore());
    },
    async close() {
      await Promise.all([strict.close(), away.close()]);
      await server.close();
    },
  };
}

function asking({ app, url }: TestResourceServer, { token }: TestShop): Ask {
  const operations = operationsIn(app.swagger() as object as ApiDocument);
  return (operationId, { query = "", headers = {}, body, authorization = `Bearer ${token}` } = {}) => {
    const creates = operationId === "createSource";
    return fetch(`${url}${operations.get(operationId)?.path}${query}`, {
      method: creates ? "POST" : "GET",
      headers: {
        ...(authorization !== null && { authorization }),
        ...(creates && { "content-type": "application/json" }),
        ...headers,
      },
      ...(creates && { body: body ?? JSON.stringify({ name: "Slow Mornings", type: "podcast" }) }),
    });
  };
}

/** The shop gets what the examples show, and nothing else. */
async function fill({ owner }: TestResourceServer, { id: shopId, connectionId }: TestShop): Promise<void> {
  const line = (record: object) => `${JSON.stringify(record)}\n`;
  const deleted = [DELETED, "res_018cc5f11a7d7e90a3b4c5d6e7f80912"];
  const doomed = deleted.map((id) => ({ ...EXAMPLE_RESPONSES[0], id }));
  await importQuestions(owner, { shopId, lines: [line(EXAMPLE_QUESTION)] }, TEST_OPERATOR);
  await importResponses(owner, { shopId, lines: [...EXAMPLE_RESPONSES, ...doomed].map(line) }, TEST_OPERATOR);
  for (const id of deleted) await deleteResponses(owner, { shopId, ids: [id] }, TEST_OPERATOR);
  await owner`UPDATE directory.shops SET domain = 'harbour-coffee.example' WHERE id = ${shopId}`;
  await owner`UPDATE oauth.connections SET exchanged_at = now(), last_used_at = now() WHERE id = ${connectionId}`;
  await owner`UPDATE survey.deleted_responses SET deleted_at = '2024-03-05T14:30:00Z' WHERE shop_id = ${shopId} AND id = ${DELETED}`;
}
