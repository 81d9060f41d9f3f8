import type { Static } from "typebox";
import type { NewSource as NewSourceBody } from "./source.schema.ts";

type Body = Static<typeof NewSourceBody>;

export interface NewSource {
  readonly name: string;
  readonly type: Body["type"];
  readonly externalId: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
}

/** Trims the texts of the body before its schema is checked, so the body may be any value. */
export function withTrimmedTexts(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { name, external_id, aliases, ...rest } = body as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(name !== undefined && { name: trimmed(name) }),
    ...(external_id !== undefined && { external_id: trimmed(external_id) }),
    ...(aliases !== undefined && { aliases: Array.isArray(aliases) ? aliases.map(trimmed) : aliases }),
  };
}

/** Drops unknown fields and duplicate aliases. */
export function newSource({ name, type, external_id, url, aliases }: Body): NewSource {
  return { name, type, externalId: external_id ?? null, url: url ?? null, aliases: [...new Set(aliases)] };
}

function trimmed(value: unknown): unknown {
  return typeof value === "string" ? value.trim() : value;
}
