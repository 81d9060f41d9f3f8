import type { OperationSchema } from "@partner-connect/public-api/document";
import { QUESTION_FIELDS } from "@partner-connect/survey-data";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { recordSchema, Timestamp } from "../openapi/record.schema.ts";
import { listSchema, PAGE_HEADERS, pageParameters } from "../pagination/page.schema.ts";
import { OPTION_DESCRIPTIONS, QUESTION_DESCRIPTIONS } from "./question-fields.ts";

const Question = recordSchema({
  $id: "Question",
  description: "What customers are asked after an order, with the options that they choose from.",
  fields: QUESTION_FIELDS,
  described: QUESTION_DESCRIPTIONS,
  item: OPTION_DESCRIPTIONS,
  neverNull: { id: Type.Integer(), inserted_at: Timestamp, updated_at: Timestamp },
});

export const QUESTION_SCHEMAS = [Question, listSchema("Question", "/api/questions", "1001")];

/** The record of the examples. */
export const EXAMPLE_QUESTION = Object.fromEntries(
  Object.entries(QUESTION_DESCRIPTIONS).map(([name, { example }]) => [name, example]),
);

/** `question-parameters.ts` reads the parameters. */
export const listQuestionsSchema = {
  operationId: "listQuestions",
  summary: "A page of the shop's questions, by id.",
  description: "A shop has few questions: one page has them all, as a rule.",
  querystring: Type.Object(pageParameters("1001")),
  response: {
    200: {
      description: "The page.",
      headers: PAGE_HEADERS,
      content: {
        "application/json": {
          schema: Type.Ref("QuestionList#"),
          examples: {
            all: { summary: "A shop with one question", value: { data: [EXAMPLE_QUESTION], prev: null, next: null } },
          },
        },
      },
    },
    304: {
      description: "The page is the one whose `etag` you sent as `If-None-Match`. No body.",
      headers: PAGE_HEADERS,
    },
    ...ERROR_ANSWERS,
  },
} satisfies OperationSchema;
