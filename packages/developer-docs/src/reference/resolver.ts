import type { DescribedDocument, DescribedSchema } from "@partner-connect/public-api/document";

/** Follows `$ref`s within the document. @throws Error where one leads to nothing */
export type Resolve = <Value extends object>(value: Value) => Value;

export function resolver(document: DescribedDocument): Resolve {
  const resolve: Resolve = (value) => {
    const { $ref } = value as { readonly $ref?: string };
    if ($ref === undefined) return value;
    const steps = $ref.replace(/^#\//, "").split("/");
    const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
    if (typeof found !== "object" || found === null)
      throw new Error(`the document refers to ${$ref}, which is not in it`);
    return resolve(found as typeof value);
  };
  return resolve;
}

/** Of `#/components/schemas/Response`: `Response`. */
export function componentName({ $ref }: DescribedSchema): string | null {
  return /^#\/components\/schemas\/(.+)$/.exec($ref ?? "")?.[1] ?? null;
}
