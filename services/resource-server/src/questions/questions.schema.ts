import type { OperationSchema } from "@partner-connect/public-api/document";
import { QUESTION_FIELDS } from "@partner-connect/survey-data";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { type DescribedFields, recordSchema, Timestamp } from "../openapi/record.schema.ts";
import { listSchema, PAGE_HEADERS, pageParameters } from "../pagination/page.schema.ts";

const QUESTION_DESCRIPTIONS: DescribedFields = {
  id: {
    description:
      "The question's id, unique in its shop. It is the value of `starting_after` and `ending_before`, and `question_id` of responses.",
    example: 1001,
  },
  prompt: { description: "The question as customers read it.", example: "How did you hear about us?" },
  type: {
    description: "Whether a customer chooses one option, chooses several, or writes own words.",
    example: "single_response",
  },
  submit_text: { description: "The text on the button that sends the answer.", example: "Submit" },
  allow_other: { description: "Whether customers may choose 'Other' and write own words.", example: true },
  other_placeholder: { description: "What stands in the empty field of own words.", example: "Tell us more" },
  randomize_responses: {
    description: "Whether each customer sees the options in another order.",
    example: true,
  },
  max_responses: { description: "How many options a customer may choose at most.", example: 1 },
  customer_type: {
    description: "Who is asked: everyone, customers with their first order, or customers who come back.",
    example: "new",
  },
  frequency_type: {
    description: "Whether a customer is asked after every order, or once.",
    example: "once",
  },
  published_at: {
    description: "Since when customers are asked. Null while they aren't.",
    example: "2024-01-02T00:00:00.000Z",
  },
  inserted_at: { description: "When the question was stored here.", example: "2024-01-02T00:00:00.000Z" },
  updated_at: { description: "When the record last changed.", example: "2024-01-02T00:00:00.000Z" },
  responses: {
    description: "The options, in the merchant's order. None of an `open_ended` question.",
    example: [
      { id: 2004, value: "Google search", clarification_question: null },
      { id: 2005, value: "Podcast", clarification_question: "Which podcast?" },
    ],
  },
};

const OPTION_DESCRIPTIONS: DescribedFields = {
  id: { description: "The option's id, `response_id` of responses.", example: 2005 },
  value: { description: "The option as customers read it, `response` of responses.", example: "Podcast" },
  clarification_question: {
    description:
      "The follow-up question that is asked of whoever chooses this option: its text; or only whether there is one, where the source doesn't give the text. Null: there is none, or the source doesn't say.",
    example: "Which podcast?",
  },
};

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

/** `questions.route.ts` reads the parameters. */
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
