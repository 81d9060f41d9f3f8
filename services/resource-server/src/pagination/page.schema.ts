import { IGNORED_PARAMETERS } from "@partner-connect/public-api";
import { COUNTED, type Examples, jsonAnswer, text } from "@partner-connect/public-api/document";
import Type from "typebox";

const PAGE_HEADERS = [...COUNTED, "cache-control", "vary", IGNORED_PARAMETERS];

export const pageAnswers = (record: string, examples: Examples) => ({
  200: jsonAnswer(`${record}List`, "The page.", PAGE_HEADERS, examples),
});

export const timeFilters = (column: string, example: string) => {
  const bound = (side: string) =>
    timeParameter(
      `Only records whose \`${column}\` is at or ${side} this time: RFC 3339, with \`Z\` or any offset.`,
      example,
    );
  return { [`${column}_min`]: bound("after"), [`${column}_max`]: bound("before") };
};

export const timeParameter = (description: string, example: string) =>
  Type.Optional(text(description, example, { format: "date-time" }));
