import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ShopClient } from "@partner-connect/partner-sdk";
import { z } from "zod";
import { firstOf, onlyThese, READ_ONLY, toolAnswer, UNTRUSTED } from "./answer.ts";

/** A shop has some dozens at most. */
const MOST = 200;

const inputSchema = onlyThese({
  starting_after: z.number().int().optional().describe("The last id of the answer before, to go on from there."),
});

export function addListQuestions(server: McpServer, shop: ShopClient): void {
  server.registerTool(
    "list_questions",
    {
      title: "The survey's questions",
      description: `The questions that the shop asks, by id, each with the answers that can be chosen; ${MOST} at a time. ${UNTRUSTED}`,
      inputSchema,
      annotations: READ_ONLY,
    },
    ({ starting_after }, { signal }) =>
      toolAnswer(async () => {
        const after = starting_after === undefined ? {} : { starting_after };
        const { found, hasMore } = await firstOf(shop.listQuestions({ limit: MOST + 1, ...after, signal }), MOST);
        return { questions: found, next: hasMore ? { starting_after: found.at(-1)?.id } : null };
      }),
  );
}
