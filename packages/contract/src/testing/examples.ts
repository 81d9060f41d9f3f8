import type { ApiDocument, DescribedAnswer } from "./document.ts";

/** One thing that an operation may answer, as the document shows it. */
export interface DescribedExample {
  readonly operationId: string;
  readonly status: number;
  readonly type: string | null;
  /** Null for a response without a body, or without an example. */
  readonly name: string | null;
  readonly value: unknown;
}

/** Every response of these operations: one for each example, or one where there is none. */
export function describedAnswers(document: ApiDocument, operationIds: Iterable<string>): DescribedExample[] {
  const ids = new Set(operationIds);
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => ids.has(operationId))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        examplesOf(answer).map((example) => ({ operationId, status: Number(status), ...example })),
      ),
    );
}

/**
 * The request that leads to each example, by its name: `createSource 400 missing`, or `429 too_many_requests` for all operations that
 * have it. @throws Error if an example has none, or one has no example
 */
export function recipesOf<Recipe>(
  examples: readonly DescribedExample[],
  recipes: Readonly<Record<string, Recipe>>,
): (readonly [name: string, example: DescribedExample, recipe: Recipe])[] {
  const unused = new Set(Object.keys(recipes));
  const found = examples.map((example) => {
    const short = [String(example.status), ...(example.name === null ? [] : [example.name])].join(" ");
    const name = `${example.operationId} ${short}`;
    const key = name in recipes ? name : short;
    const recipe = recipes[key];
    if (recipe === undefined) throw new Error(`no recipe for ${name}`);
    unused.delete(key);
    return [name, example, recipe] as const;
  });
  if (unused.size > 0) throw new Error(`no example for ${[...unused].join(", ")}`);
  return found;
}

function examplesOf({ content = {} }: DescribedAnswer): Pick<DescribedExample, "type" | "name" | "value">[] {
  const examples = Object.entries(content).flatMap(([type, media]) =>
    Object.entries(media.examples ?? {}).map(([name, { value }]) => ({ type, name, value })),
  );
  return examples.length > 0 ? examples : [{ type: Object.keys(content)[0] ?? null, name: null, value: null }];
}
