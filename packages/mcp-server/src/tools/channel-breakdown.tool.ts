import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ResponseRecord, ShopClient } from "@partner-connect/partner-sdk";
import { z } from "zod";
import { given, onlyThese, READ_ONLY, TIME_RANGE, toolAnswer, UNTRUSTED } from "./answer.ts";

/** Responses that one call reads at most: 50 calls of the API, of 600 that a key may make in a minute. */
const MOST_READ = 50_000;

const GROUPS = ["response", "original_response", "utm_source", "utm_medium", "utm_campaign"] as const;
type Group = (typeof GROUPS)[number];

const inputSchema = onlyThese({
  ...TIME_RANGE,
  group_by: z
    .enum(GROUPS)
    .default("response")
    .describe(
      "What to count by: the answer as it is categorized now, as the customer first chose it, or a part of the link that they came by.",
    ),
  question_id: z.number().int().optional().describe("Only responses to this question; list_questions has the ids."),
  groups: z.number().int().min(1).max(100).default(25).describe("How many of the most frequent values to show."),
});

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
        for await (const response of shop.listResponses({
          ...given({ ...range, question_id }),
          sort: "inserted_at_desc",
          signal,
        })) {
          if (read === MOST_READ) {
            complete = false;
            break;
          }
          read++;
          oldest = response.inserted_at;
          counter.add(response);
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

interface ChannelCount {
  /** Null: the responses that have none, such as write-ins that nobody has categorized. */
  readonly value: string | null;
  readonly responses: number;
  /** Of all that were counted, 0 to 1. */
  readonly share: number;
}

interface ChannelCounts {
  readonly responses_counted: number;
  readonly groups: readonly ChannelCount[];
  /** What the groups that are not shown have together. */
  readonly further: { readonly groups: number; readonly responses: number } | null;
}

export class ChannelCounter {
  readonly #by: Group;
  readonly #counts = new Map<string | null, number>();
  #all = 0;

  constructor(by: Group) {
    this.#by = by;
  }

  add(response: Pick<ResponseRecord, Group>): void {
    const value = response[this.#by];
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    this.#all++;
  }

  counts(most: number): ChannelCounts {
    const all = [...this.#counts].sort(
      ([a, countA], [b, countB]) => countB - countA || ((a ?? "") < (b ?? "") ? -1 : 1),
    );
    const further = all.slice(most);
    return {
      responses_counted: this.#all,
      groups: all.slice(0, most).map(([value, responses]) => ({
        value,
        responses,
        share: Math.round((responses / this.#all) * 10_000) / 10_000,
      })),
      further:
        further.length === 0
          ? null
          : { groups: further.length, responses: further.reduce((sum, [, responses]) => sum + responses, 0) },
    };
  }
}
