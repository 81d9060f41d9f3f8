import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ResponseRecord, ShopClient } from "@partner-connect/partner-sdk";
import { z } from "zod";
import { firstOf, given, onlyThese, READ_ONLY, TIME_RANGE, time, toolAnswer, UNTRUSTED } from "./answer.ts";

type FieldName = keyof ResponseRecord;

/** Every field of a response, and whether it is shown unasked: it is where it names nobody, but in customers' own words. */
const IS_USUAL: Readonly<Record<FieldName, boolean>> = {
  id: true,
  inserted_at: true,
  updated_at: true,
  question_id: true,
  question: true,
  response: true,
  other_response: true,
  original_response: true,
  clarification_question: true,
  customer_order_count: true,
  order_total_usd: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  landing_page_path: true,
  referring_site: true,
  response_provided_at: false,
  question_type: false,
  response_id: false,
  response_position: false,
  other: false,
  referring_question: false,
  referring_question_id: false,
  referring_question_response: false,
  referring_question_response_id: false,
  submit_delta: false,
  customer_id: false,
  email: false,
  order_id: false,
  order_number: false,
  order_platform: false,
  order_source: false,
  order_currency_code: false,
  order_total: false,
  coupon_code: false,
  coupon_type: false,
  coupon_amount: false,
  utm_content: false,
  utm_term: false,
};

const FIELDS = Object.keys(IS_USUAL) as FieldName[];
const USUAL_FIELDS = FIELDS.filter((name) => IS_USUAL[name]);

function pick(record: ResponseRecord, fields: readonly FieldName[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((name) => [name, record[name]]));
}

/** An assistant reads every character of the answer. */
const MOST = 200;
const USUAL = 25;

const SORTS = ["inserted_at_desc", "inserted_at_asc", "updated_at_desc", "updated_at_asc"] as const;

const inputSchema = onlyThese({
  ...TIME_RANGE,
  updated_at_min: time("Only responses that were changed from this time on."),
  updated_at_max: time("Only responses that were changed up to this time."),
  question_id: z.number().int().optional().describe("Only responses to this question; list_questions has the ids."),
  response_id: z
    .number()
    .int()
    .optional()
    .describe("Only responses that chose this option; list_questions has the ids."),
  sort: z.enum(SORTS).default("inserted_at_desc").describe("The order. By default the newest come first."),
  limit: z.number().int().min(1).max(MOST).default(USUAL).describe("How many responses the answer has at most."),
  starting_after: z.string().max(64).optional().describe("From `next` of the answer before, to go on from there."),
  cursor_time: time("From `next` of the answer before, beside starting_after."),
  fields: z
    .array(z.enum(FIELDS))
    .min(1)
    .default(USUAL_FIELDS)
    .describe(
      "What to show of each response. email, customer_id, order_id and order_number are shown only if you name them.",
    ),
});

export function addListResponses(server: McpServer, shop: ShopClient): void {
  server.registerTool(
    "list_responses",
    {
      title: "Single survey responses",
      description: `Survey responses one by one, the newest first, with filters by time; ${USUAL} at a time, ${MOST} at most. To count responses use channel_breakdown. ${UNTRUSTED}`,
      inputSchema,
      annotations: READ_ONLY,
    },
    ({ limit, fields, ...filters }, { signal }) =>
      toolAnswer(async () => {
        const list = shop.listResponses({ ...given(filters), limit: limit + 1, signal });
        const { found, hasMore } = await firstOf(list, limit);
        const last = found.at(-1);
        const time = filters.sort.startsWith("updated_at") ? "updated_at" : "inserted_at";
        return {
          responses: found.map((record) => pick(record, fields)),
          next: hasMore && last ? { starting_after: last.id, cursor_time: last[time] } : null,
        };
      }),
  );
}
