import { example, pageParameters } from "@partner-connect/contract/openapi";
import {
  OPTION_DESCRIPTIONS,
  QUESTION_DESCRIPTIONS,
  QUESTION_FIELDS,
} from "@partner-connect/survey-data";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { pageAnswer, recordSchema, Timestamp } from "../pagination/page.schema.ts";

export const PATH = "/api/questions";

const Question = recordSchema(
  "Question",
  "A question that customers see after an order, with its options.",
  {
    fields: QUESTION_FIELDS,
    described: QUESTION_DESCRIPTIONS,
    item: OPTION_DESCRIPTIONS,
    neverNull: { id: Type.Integer(), inserted_at: Timestamp, updated_at: Timestamp },
  },
);

export const EXAMPLE_QUESTION = Object.fromEntries(
  Object.entries(QUESTION_DESCRIPTIONS).map(([name, [, example]]) => [name, example]),
);

export const schema = {
  operationId: "listQuestions",
  tags: ["Questions"],
  summary: "Lists the shop's questions, ordered by id.",
  description: "A shop has few questions: usually one page has all of them.",
  querystring: Type.Object(pageParameters("1001", "changed")),
  response: {
    200: pageAnswer(Question, PATH, "1001", {
      all: example("A shop with one question", {
        data: [EXAMPLE_QUESTION],
        prev: null,
        next: null,
      }),
    }),
    ...ERROR_ANSWERS,
  },
};
