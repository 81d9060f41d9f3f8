import { QUESTION_FIELDS } from "@partner-connect/survey-data";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { recordSchema, Timestamp } from "../openapi/record.schema.ts";
import { listSchema, PAGE_PARAMETERS } from "../pagination/page.schema.ts";

const Question = recordSchema("Question", QUESTION_FIELDS, {
  id: Type.Integer(),
  inserted_at: Timestamp,
  updated_at: Timestamp,
});

export const QUESTION_SCHEMAS = [Question, listSchema("Question")];

/** `question-parameters.ts` reads the parameters. */
export const listQuestionsSchema = {
  operationId: "listQuestions",
  summary: "A page of the shop's questions, by id.",
  querystring: Type.Object(PAGE_PARAMETERS),
  response: { 200: Type.Ref("QuestionList#", { description: "The page." }), ...ERROR_ANSWERS },
};
