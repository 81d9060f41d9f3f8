import { BASE_URL } from "@partner-connect/public-api";
import {
  example,
  listSchema,
  type OperationSchema,
  orNull,
  pageParameters,
  text,
  textOrNull,
} from "@partner-connect/public-api/document";
import Type from "typebox";
import { ERROR_ANSWERS, invalid, invalidAnswer } from "../errors/error.schema.ts";
import { pageAnswers } from "../pagination/page.schema.ts";
import { UNITS } from "./count-parameters.ts";

const COUNT = {
  id: "d20240118HqQUDH7FO7n16aAZNklgPnoIFA_t_bXrpXVfi2hrKo0",
  period: "2024-01-18",
  question_id: 1002,
  question: "Which podcast?",
  response: "Slow Mornings",
  count: 1,
};

const ResponseCount = Type.Object(
  {
    id: text("Names the period, the question and the answer: the same in every page, whatever the count.", COUNT.id, {
      minLength: 1,
      maxLength: 64,
    }),
    period: text("The day, or the first day of the month, of `inserted_at` in UTC.", COUNT.period, { format: "date" }),
    question_id: orNull<number>("integer", {
      description: "The question's id, `id` of questions.",
      examples: [COUNT.question_id],
    }),
    question: textOrNull("The question as it was asked.", COUNT.question),
    response: textOrNull("The answer, `response` of responses. Null where customers wrote own words.", COUNT.response),
    count: Type.Integer({ minimum: 1, description: "How many responses there are.", examples: [COUNT.count] }),
  },
  { $id: "ResponseCount", description: "How many responses of a day or month gave one answer to one question." },
);

export const COUNT_SCHEMAS = [ResponseCount, listSchema("ResponseCount", "/api/response-counts", COUNT.id)];

const bound = (side: string) =>
  Type.Optional(
    text(`Only periods at or ${side} this one: a date; with \`unit=month\` the first day of a month.`, COUNT.period, {
      format: "date",
    }),
  );

/** `count-parameters.ts` reads the parameters. */
export const listCountsSchema = {
  operationId: "listResponseCounts",
  summary: "A page of how many responses there are: by day or month, question and answer.",
  description:
    "Exact as of the call, and as fast for millions of responses as for few. By `period`, then by question and answer in an order of no meaning. " +
    "What was recategorized counts by its present `response`, and what was deleted doesn't count. " +
    "Just after an update of this system it may be `503` for a shop whose responses are still to be counted.",
  querystring: Type.Object({
    ...pageParameters(COUNT.id),
    unit: Type.Optional(
      Type.Enum([...UNITS], { default: "day", description: "How long a period is, in UTC.", examples: ["month"] }),
    ),
    period_min: bound("after"),
    period_max: bound("before"),
    question_id: Type.Optional(Type.Integer({ description: "Only this question.", examples: [COUNT.question_id] })),
  }),
  response: {
    ...pageAnswers("ResponseCount", {
      page: example("`?limit=1`: one count, and there is more", {
        data: [COUNT],
        prev: null,
        next: `${BASE_URL}/api/response-counts?limit=1&starting_after=${COUNT.id}`,
      }),
    }),
    ...ERROR_ANSWERS,
    400: invalidAnswer({
      period: invalid(
        "period_min",
        "period_min must be the first day of a month, such as 2026-11-01.",
        "`?unit=month&period_min=2024-03-05`",
      ),
    }),
  },
} satisfies OperationSchema;
