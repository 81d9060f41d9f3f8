import { formatTimestamp } from "@partner-connect/contract";
import fc from "fast-check";
import type { Field } from "./field.ts";
import { RESPONSE_FIELDS } from "./response-record.ts";

export const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", ""));

const instant = fc.integer({ min: Date.parse("2024-01-01"), max: Date.parse("2024-12-31") });

function value(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "integer":
      return fc.maxSafeInteger().map((integer) => integer + 0);
    case "decimal":
      return fc.stringMatching(/^-?(0|[1-9]\d{0,17})(\.\d{1,8})?$/);
    case "boolean":
      return fc.boolean();
    case "boolean_or_text":
      return fc.oneof(fc.boolean(), text);
    case "timestamp":
      return instant.map(formatTimestamp);
    default:
      return text;
  }
}

const others = RESPONSE_FIELDS.slice(3).map((field) => [field.name, value(field)] as const);

/** Fields of a response without `id` and stamps; only required ones are always present. */
export const responseContent = fc
  .tuple(fc.record(Object.fromEntries(others), { requiredKeys: [] }), fc.constantFrom("response", "other_response"))
  .map(
    ([fields, answer]) => ({ ...fields, question: "Who?", [answer]: fields[answer] || "x" }) as Record<string, unknown>,
  );

/** The stamps of a source: none, either, or both. */
export const givenStamps = fc
  .tuple(instant, fc.nat(1e9), fc.boolean(), fc.boolean())
  .map(([inserted, later, givesInserted, givesUpdated]) => ({
    ...(givesInserted && { inserted_at: formatTimestamp(inserted) }),
    ...(givesUpdated && { updated_at: formatTimestamp(inserted + later) }),
  }));
