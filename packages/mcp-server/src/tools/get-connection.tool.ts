import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ShopClient } from "@partner-connect/partner-sdk";
import { onlyThese, READ_ONLY, toolAnswer } from "./answer.ts";

export function addGetConnection(server: McpServer, shop: ShopClient): void {
  server.registerTool(
    "get_connection",
    {
      title: "Which shop this is",
      description:
        "The shop whose survey these tools read: its id, name, domain and plan, and what the API key may do.",
      inputSchema: onlyThese({}),
      annotations: READ_ONLY,
    },
    (_, { signal }) =>
      toolAnswer(async () => {
        const connection = await shop.connection({ signal });
        return { shop: connection.shop, scope: connection.scope };
      }),
  );
}
