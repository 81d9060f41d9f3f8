import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ShopClient } from "@partner-connect/partner-sdk";
import { z } from "zod";
import { READ_ONLY, toolAnswer, UNTRUSTED } from "./answer.ts";
import { ChannelCounter, GROUPS } from "./channel-counts.ts";
import { given, TIME_RANGE } from "./lists.ts";

/** Responses that one call reads at most: 50 calls of the API, of 600 that a key may make in a minute. */
const MOST_READ = 50_000;

const inputSchema = {
  ...TIME_RANGE,
  group_by: z
    .enum(GROUPS)
    .default("response")
    .describe(
      "What to count by: the answer as it is categorized now, as the customer first chose it, or a part of the link that they came by.",
    ),
  question_id: z.number().int().optional().describe("Only responses to this question; list_questions has the ids."),
  groups: z.number().int().min(1).max(100).default(25).describe("How many of the most frequent values to show."),
};

export function addChannelBreakdown(server: McpServer, shop: ShopClient): void {
  server.registerTool(
    "channel_breakdown",
    {
      title: "Where customers come from",
      description: `Counts responses by answer or by utm parameter, over a range of time: which channels bring customers. It reads at most ${MOST_READ} responses, from the newest back; then \`complete\` is false and \`counted_back_to\` says how far it came. ${UNTRUSTED}`,
      inputSchema,
      annotations: READ_ONLY,
    },
    ({ group_by, question_id, groups, ...range }, { signal }) =>
      toolAnswer(async () => {
        const counter = new ChannelCounter(group_by);
        let read = 0;
        let oldest: string | null = null;
        let complete = true;
        for await (const response of shop.listResponses({ ...given(range), sort: "inserted_at_desc", signal })) {
          if (read === MOST_READ) {
            complete = false;
            break;
          }
          read++;
          oldest = response.inserted_at;
          if (question_id === undefined || response.question_id === question_id) counter.add(response);
        }
        return {
          group_by,
          ...counter.counts(groups),
          responses_read: read,
          complete,
          counted_back_to: complete ? null : oldest,
        };
      }),
  );
}
