import { QUESTION_FIELDS } from "@partner-connect/survey-data";
import Type from "typebox";
import { type DescribedFields, recordSchema, Timestamp } from "../pagination/record.schema.ts";

const QUESTION_DESCRIPTIONS: DescribedFields = {
  id: [
    "The question's id, unique in its shop. It is the value of `starting_after` and `ending_before`, and `question_id` of responses.",
    1001,
  ],
  prompt: ["The question as customers read it.", "How did you hear about us?"],
  type: ["Whether customers choose one option, choose several, or write their own words.", "single_response"],
  submit_text: ["The text on the button that sends the answer.", "Submit"],
  allow_other: ["Whether customers may choose 'Other' and write their own words.", true],
  other_placeholder: ["The placeholder of the text field for own words.", "Tell us more"],
  randomize_responses: ["Whether the options are shown in random order.", true],
  max_responses: ["Maximum number of options that a customer may choose.", 1],
  customer_type: ["Which customers see the question: all, those with their first order, or returning ones.", "new"],
  frequency_type: ["Whether a customer sees the question after every order, or once.", "once"],
  published_at: ["When the question was published. Null while it is not published.", "2024-01-02T00:00:00.000Z"],
  inserted_at: ["When the question was stored here.", "2024-01-02T00:00:00.000Z"],
  updated_at: ["When the record last changed.", "2024-01-02T00:00:00.000Z"],
  responses: [
    "The options, in the merchant's order. Empty for an `open_ended` question.",
    [
      { id: 2004, value: "Google search", clarification_question: null },
      { id: 2005, value: "Podcast", clarification_question: "Which podcast?" },
    ],
  ],
};

const OPTION_DESCRIPTIONS: DescribedFields = {
  id: ["The option's id: `response_id` of responses.", 2005],
  value: ["The option as customers read it: `response` of responses.", "Podcast"],
  clarification_question: [
    "The follow-up question for this option: its text, or only whether there is one if the source doesn't give the text. Null if there is none, or the source doesn't say.",
    "Which podcast?",
  ],
};

export const Question = recordSchema("Question", "A question that customers see after an order, with its options.", {
  fields: QUESTION_FIELDS,
  described: QUESTION_DESCRIPTIONS,
  item: OPTION_DESCRIPTIONS,
  neverNull: { id: Type.Integer(), inserted_at: Timestamp, updated_at: Timestamp },
});

export const EXAMPLE_QUESTION = Object.fromEntries(
  Object.entries(QUESTION_DESCRIPTIONS).map(([name, [, example]]) => [name, example]),
);
