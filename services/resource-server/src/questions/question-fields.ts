import {
  OPTION_DESCRIPTIONS,
  QUESTION_DESCRIPTIONS,
  QUESTION_FIELDS,
} from "@partner-connect/survey-data";
import Type from "typebox";
import { recordSchema, Timestamp } from "../pagination/record.schema.ts";

export const Question = recordSchema(
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
