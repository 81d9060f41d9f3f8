import { example, pageParameters } from "@partner-connect/contract/openapi";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { pageAnswer } from "../pagination/record.schema.ts";
import { EXAMPLE_QUESTION, Question } from "./question-fields.ts";

export const PATH = "/api/questions";

export const schema = {
  operationId: "listQuestions",
  tags: ["Questions"],
  summary: "Lists the shop's questions, ordered by id.",
  description: "A shop has few questions: usually one page has all of them.",
  querystring: Type.Object(pageParameters("1001")),
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
