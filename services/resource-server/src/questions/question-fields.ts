import type { DescribedFields } from "../openapi/record.schema.ts";

/** What a question record says. */
export const QUESTION_DESCRIPTIONS: DescribedFields = {
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

/** What each of its options says. */
export const OPTION_DESCRIPTIONS: DescribedFields = {
  id: { description: "The option's id, `response_id` of responses.", example: 2005 },
  value: { description: "The option as customers read it, `response` of responses.", example: "Podcast" },
  clarification_question: {
    description:
      "The follow-up question that is asked of whoever chooses this option: its text; or only whether there is one, where the source doesn't give the text. Null: there is none, or the source doesn't say.",
    example: "Which podcast?",
  },
};
