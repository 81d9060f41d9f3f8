/** What stands for an operation in the SDKs. */
interface SdkCall {
  readonly ts: string;
  /** Left out where the SDK has no method. */
  readonly python?: string;
}

/**
 * By operation. A test runs them in the order of the reference as one program of each language: `partnerConnect` is the SDK's client,
 * `callbackUrl` the address that the browser came back to, and `connectionId` the connection that came of it; in Python `connection`, and its `shop`.
 */
export const SDK_CALLS: Readonly<Record<string, SdkCall>> = {
  authorize: {
    ts: `const { url, pending } = await partnerConnect.beginAuthorization({
  redirectUri: "http://localhost:3456/callback",
  scope: ["responses:read", "sources:write"],
});
console.log(url); // send the browser there, and keep \`pending\` in your user's session`,
    python: `url, pending = partner_connect.begin_authorization(
    redirect_uri="http://localhost:3456/callback",
    scope=["responses:read", "sources:write"],
)
print(url)  # send the browser there, and keep \`pending\` in your user's session`,
  },
  token: {
    ts: `// Verifies state and iss, exchanges the code, and stores the connection. Refreshes come by themselves.
const connection = await partnerConnect.completeAuthorization(callbackUrl, pending);
console.log(connection.id, connection.shop.name, connection.scope);`,
    python: `# Verifies state and iss, and exchanges the code. Store the connection: its refresh token is a secret.
connection = partner_connect.complete_authorization(callback_url, pending)
print(connection.id, connection.shop_name, connection.scope)`,
  },
  refreshTokenBatch: {
    ts: `// What is called at the same time is refreshed together, up to 1,000 connections in one call.
const ids: string[] = [];
for await (const { id } of partnerConnect.connections()) ids.push(id);
const all = await Promise.all(ids.map((id) => partnerConnect.shop(id).connection()));
console.log(all.map(({ shop }) => shop.name));`,
  },
  revoke: {
    ts: `await partnerConnect.disconnect(connectionId); // ends it here, and deletes it from your store
console.log("ended");`,
  },
  listConnections: {
    ts: `for await (const { id, shop, status } of partnerConnect.listConnections({ status: "connected" })) {
  console.log(id, shop.name, status);
}`,
  },
  listChanges: {
    ts: `const { data, cursor } = await partnerConnect.changes({ after: null, limit: 100 });
for (const { connection_id, kind, status } of data) console.log(connection_id, kind, status);
console.log(cursor); // pass it as \`after\` the next time`,
  },
  getConnection: {
    ts: `const { shop, scope } = await partnerConnect.shop(connectionId).connection();
console.log(shop.name, shop.plan, scope);`,
    python: `described = shop.connection()
print(described["shop"]["name"], described["shop"]["plan"], described["scope"])`,
  },
  listResponses: {
    ts: `// Goes through all pages.
for await (const { id, question, response } of partnerConnect.shop(connectionId).listResponses({
  inserted_at_min: "2024-01-01T00:00:00Z",
})) {
  console.log(id, question, response);
}`,
    python: `# Goes through all pages.
for response in shop.list_responses(inserted_at_min="2024-01-01T00:00:00Z"):
    print(response["id"], response["question"], response["response"])`,
  },
  listDeletedResponses: {
    ts: `for await (const { id, deleted_at } of partnerConnect.shop(connectionId).listDeletedResponses()) {
  console.log(id, deleted_at);
}`,
  },
  listQuestions: {
    ts: `for await (const { id, prompt } of partnerConnect.shop(connectionId).listQuestions()) {
  console.log(id, prompt);
}`,
  },
  createSource: {
    ts: `const source = await partnerConnect.shop(connectionId).createSource({
  name: "Slow Mornings",
  type: "podcast",
  external_id: "show-112",
});
console.log(source.id);`,
  },
};
