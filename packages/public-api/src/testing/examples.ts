import type { ApiDocument, DescribedAnswer } from "./document.ts";

/** One thing that an operation may answer, as the document shows it. */
export interface DescribedExample {
  readonly operationId: string;
  readonly status: number;
  /** The answer's name among the components, if several operations have it. */
  readonly component: string | null;
  readonly type: string | null;
  /** Null for an answer without a body, or without an example. */
  readonly name: string | null;
  readonly value: unknown;
}

/** Every answer of these operations: one for each example, or one where there is none. */
export function describedAnswers(document: ApiDocument, operationIds: readonly string[]): DescribedExample[] {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  return operations
    .filter(({ operationId }) => operationIds.includes(operationId))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const component = "$ref" in answer ? (String(answer.$ref).split("/").at(-1) ?? null) : null;
        const described = component === null ? answer : document.components.responses[component];
        const examples = described ? examplesOf(described) : [];
        return examples.map((example) => ({ operationId, status: Number(status), component, ...example }));
      }),
    );
}

function examplesOf({ content = {} }: DescribedAnswer): Pick<DescribedExample, "type" | "name" | "value">[] {
  const examples = Object.entries(content).flatMap(([type, media]) =>
    Object.entries(media.examples ?? {}).map(([name, { value }]) => ({ type, name, value })),
  );
  return examples.length > 0 ? examples : [{ type: Object.keys(content)[0] ?? null, name: null, value: null }];
}
