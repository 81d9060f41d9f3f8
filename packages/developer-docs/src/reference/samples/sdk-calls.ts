/** What stands for an operation in the SDKs. */
interface SdkCall {
  readonly ts: string;
  readonly python: string;
}

/**
 * By operation. A test runs them in the order of the reference as one program of each language: `partnerConnect` is the SDK's client,
 * `callbackUrl` the address that the browser came back to, and `connectionId` the connection that came of it.
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
    python: `# Verifies state and iss, exchanges the code, and stores the connection. Refreshes come by themselves.
connection = partner_connect.complete_authorization(callback_url, pending)
print(connection.id, connection.shop.name, connection.scope)`,
  },
  refreshTokenBatch: {
    ts: `// What is called at the same time is refreshed together, up to 1,000 connections in one call.
const ids: string[] = [];
for await (const { id } of partnerConnect.connections()) ids.push(id);
const all = await Promise.all(ids.map((id) => partnerConnect.shop(id).connection()));
console.log(all.map(({ shop }) => shop.name));`,
    python: `ids = [connection.id for connection in partner_connect.connections()]
partner_connect.refresh_tokens(ids)  # up to 1,000 connections in one call
print([partner_connect.shop(id).connection()["shop"]["name"] for id in ids])`,
  },
  revoke: {
    ts: `await partnerConnect.disconnect(connectionId); // ends it here, and deletes it from your store
console.log("ended");`,
    python: `partner_connect.disconnect(connection_id)  # ends it here, and deletes it from your store
print("ended")`,
  },
  listConnections: {
    ts: `for await (const { id, shop, status } of partnerConnect.listConnections({ status: "connected" })) {
  console.log(id, shop.name, status);
}`,
    python: `for listed in partner_connect.list_connections(status="connected"):
    print(listed["id"], listed["shop"]["name"], listed["status"])`,
  },
  listChanges: {
    ts: `const { data, cursor } = await partnerConnect.changes({ after: null, limit: 100 });
for (const { connection_id, kind, status } of data) console.log(connection_id, kind, status);
console.log(cursor); // pass it as \`after\` the next time`,
    python: `changes = partner_connect.changes(None, limit=100)
for change in changes["data"]:
    print(change["connection_id"], change["kind"], change["status"])
print(changes["cursor"])  # pass it as \`after\` the next time`,
  },
  getConnection: {
    ts: `const { shop, scope } = await partnerConnect.shop(connectionId).connection();
console.log(shop.name, shop.plan, scope);`,
    python: `connection = partner_connect.shop(connection_id).connection()
print(connection["shop"]["name"], connection["shop"]["plan"], connection["scope"])`,
  },
  listResponses: {
    ts: `// Goes through all pages.
for await (const { id, question, response } of partnerConnect.shop(connectionId).listResponses({
  inserted_at_min: "2024-01-01T00:00:00Z",
})) {
  console.log(id, question, response);
}`,
    python: `# Goes through all pages.
for response in partner_connect.shop(connection_id).list_responses(inserted_at_min="2024-01-01T00:00:00Z"):
    print(response["id"], response["question"], response["response"])`,
  },
  listDeletedResponses: {
    ts: `for await (const { id, deleted_at } of partnerConnect.shop(connectionId).listDeletedResponses()) {
  console.log(id, deleted_at);
}`,
    python: `for deleted in partner_connect.shop(connection_id).list_deleted_responses():
    print(deleted["id"], deleted["deleted_at"])`,
  },
  listResponseCounts: {
    ts: `for await (const { period, question, response, count } of partnerConnect.shop(connectionId).listResponseCounts({
  unit: "month",
  period_min: "2024-01-01",
})) {
  console.log(period, question, response, count);
}`,
    python: `for counted in partner_connect.shop(connection_id).list_response_counts(unit="month", period_min="2024-01-01"):
    print(counted["period"], counted["question"], counted["response"], counted["count"])`,
  },
  listQuestions: {
    ts: `for await (const { id, prompt } of partnerConnect.shop(connectionId).listQuestions()) {
  console.log(id, prompt);
}`,
    python: `for question in partner_connect.shop(connection_id).list_questions():
    print(question["id"], question["prompt"])`,
  },
  createSource: {
    ts: `const source = await partnerConnect.shop(connectionId).createSource({
  name: "Slow Mornings",
  type: "podcast",
  external_id: "show-112",
});
console.log(source.id);`,
    python: `source = partner_connect.shop(connection_id).create_source(
    {"name": "Slow Mornings", "type": "podcast", "external_id": "show-112"}
)
print(source["id"])`,
  },
};
