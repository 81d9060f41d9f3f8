import {
  type Described,
  type DescribedDocument,
  operationGroups,
  readDocument,
} from "@partner-connect/contract/openapi";
import { guideText, referenceSamples } from "../src/guides.ts";

/** Links to the pages of the operations, by tag. */
export const operationLinks = () =>
  operationGroups(readDocument()).map(({ name, operations }) => ({
    text: name,
    items: operations.map(({ operationId }) => ({
      text: titleOf(operationId),
      link: `/reference/${operationId}`,
    })),
  }));

/** Turns `listResponses` into 'List responses'. */
function titleOf(operationId: string): string {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const named = words
    .replace("open id", "OpenID")
    .replace("open api", "OpenAPI")
    .replace("json web", "JSON web");
  return named.charAt(0).toUpperCase() + named.slice(1);
}

/**
 * The reference as Markdown, by file name: an index, a page for each operation, and one of all
 * objects.
 */
export function referencePages(document: DescribedDocument): [file: string, text: string][] {
  const samples = referenceSamples();
  const groups = operationGroups(document);
  const pages = groups.flatMap(({ operations }) =>
    operations.map((operation): [string, string] => {
      const { operationId, route, path, description, parameters = [], requestBody } = operation;
      const answers = Object.entries(operation.responses).map(([status, answer]) => ({
        status,
        answer: resolve(answer),
      }));
      const success = answers.find(({ status }) => status < "400");
      const page = [
        `# ${titleOf(operationId)}`,
        `\`${route}\``,
        operation.summary,
        callerText(operation.security?.[0]),
        "## Request",
        samples.get(operationId) ?? samples.get("default")?.replaceAll("{path}", path),
        `The shell's variables are those of [First connection](/docs/first-connection). The SDKs' clients are made as in [TypeScript](/docs/typescript#one-client-for-each-process) and [Python](/docs/python#one-client-per-process).`,
        description && `## Details\n\n${description}`,
        parameters.length > 0 && `## Parameters\n\n${fieldList(parameters.map(resolve))}`,
        requestBody && `## Body\n\n${bodyText(resolve(requestBody))}`,
        success && `## Answer\n\n\`${success.status}\`: ${success.answer.description}`,
        success && examplesOf(success.answer)[0],
        success && recordText(success.answer),
        "## All answers",
        `[Errors](/docs/errors#${guideSection(path)}) lists the cause and fix of each refusal.`,
        ...answers.map(({ status, answer }) => answerText(path, status, answer)),
      ];
      return [`reference/${operationId}.md`, joinParts(page)];
    }),
  );
  return [["reference.md", indexText()], ...pages, ["reference/objects.md", objectsText()]];

  function resolve(value: Described): Described {
    if (value.$ref === undefined) return value;
    const steps = value.$ref.slice(2).split("/");
    const found = steps.reduce<unknown>(
      (at, step) => (at as Record<string, unknown> | undefined)?.[step],
      document,
    );
    if (!found) throw new Error(`openapi.json refers to ${value.$ref}, which is not in it`);
    const { $ref: _, ...own } = value;
    return { ...resolve(found as Described), ...own };
  }

  function fieldList(fields: readonly Described[]): string {
    const items = fields.map(
      ({ name, schema = {}, description, example, required, deprecated, in: place }) => {
        const { examples, default: fallback, ...rules } = resolve(schema);
        const notes = [
          required === true && "required",
          deprecated && "deprecated",
          place && place !== "query" && `in: ${place}`,
        ];
        const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
        const facts = [
          ...bounds(rules),
          fallback !== undefined && `Default: ${code(fallback)}.`,
          shown !== undefined && `Example: ${code(shown)}.`,
        ];
        const head = [`**\`${name}\`**`, typeText(schema), ...notes].filter(Boolean).join(" · ");
        return `- ${joinParts([head, description, facts.filter(Boolean).join(" ")]).replaceAll("\n", "\n  ")}`;
      },
    );
    return `<div class="fields">\n\n${items.join("\n")}\n\n</div>`;
  }

  /** Required fields are marked only in requests. */
  function propertyList({ properties = {}, required }: Described, isSent = false): string {
    const fields = Object.entries(properties).map(([name, schema]): Described => {
      const { properties: inner, description } = resolve(schema);
      const said = schema.description ?? (inner ? undefined : description);
      const isRequired = isSent && Array.isArray(required) && required.includes(name);
      return {
        name,
        schema,
        required: isRequired,
        ...(said !== undefined && { description: said }),
      };
    });
    return fields.length > 0 ? fieldList(fields) : "";
  }

  /** A schema in a few words: `string or null`, `list of Response`. */
  function typeText(schema: Described): string {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "")?.[1];
    const { type = [], items, const: only, ...rules } = resolve(schema);
    if (name && rules.properties) return `[${name}](/docs/reference/objects#${name.toLowerCase()})`;
    const choices = rules.oneOf ?? rules.anyOf;
    if (choices) return [...new Set(choices.map(typeText))].join(" or ");
    if (only !== undefined) return code(only);
    if (rules.enum && type.length === 0) return "string";
    return [type]
      .flat()
      .map((one) => (one === "array" && items ? `list of ${typeText(items)}` : one))
      .join(" or ");
  }

  function bodyText({ content = {}, description }: Described): string {
    const forms = Object.entries(content).map(([type, { schema = {} }]) =>
      joinParts([
        `\`${type}\``,
        ...(schema.oneOf ?? schema.anyOf ?? [schema]).map((one) => {
          const { description: said, ...resolved } = resolve(one);
          return joinParts([said, propertyList(resolved, true)]);
        }),
      ]),
    );
    return joinParts([description, ...forms]);
  }

  function recordText({ content = {} }: Described): string {
    const whole = resolve(Object.values(content)[0]?.schema ?? {});
    const { items } = whole.properties?.["data"] ?? {};
    return joinParts([
      propertyList(whole),
      items && "Each record:",
      items && propertyList(resolve(items)),
    ]);
  }

  /** A response as a collapsed block. The example shown above is not repeated. */
  function answerText(path: string, status: string, answer: Described): string {
    const types = Object.entries(answer.content ?? {}).map(([type, { schema }]) =>
      schema ? `\`${type}\` ${typeText(schema)}` : `\`${type}\``,
    );
    const headers = Object.keys(answer.headers ?? {}).map((name) => `\`${name}\``);
    return joinParts([
      `<details class="details custom-block"><summary>${status} ${(answer.description ?? "").replaceAll("`", "")}</summary>`,
      types.join(", "),
      errorLinks(path, answer),
      ...examplesOf(answer).slice(status < "400" ? 1 : 0),
      headers.length > 0 && `[Headers](/docs/reference/objects#headers): ${headers.join(", ")}`,
      "</details>",
    ]);
  }

  function indexText(): string {
    const lists = groups.map(
      ({ name, description, operations }) =>
        `## ${name}\n\n${description}\n\n${operations.map(({ operationId, route }) => `- [${titleOf(operationId)}](/docs/reference/${operationId}) \`${route}\``).join("\n")}`,
    );
    return joinParts([
      "# API reference",
      "Every address begins with `{base_url}`. These pages are made from [openapi.json]({base_url}/api/openapi.json) (OpenAPI 3.1), which programs can read.",
      ...lists,
      "## What holds everywhere",
      document.info.description,
      "[Objects](/docs/reference/objects) has every object and header with its fields.",
    ]);
  }

  function objectsText(): string {
    const objects = Object.entries(document.components.schemas).filter(
      ([, { properties }]) => properties,
    );
    const headers = Object.entries(document.components.headers ?? {});
    return joinParts([
      "# Objects",
      ...objects.map(([name, schema]) =>
        joinParts([`## ${name}`, schema.description, propertyList(schema)]),
      ),
      headers.length > 0 && "## Headers",
      headers.map(([name, { description }]) => `- \`${name}\`: ${description}`).join("\n"),
    ]);
  }
}

function callerText(scheme: Readonly<Record<string, readonly string[]>> | undefined): string {
  if (!scheme) return "Needs no credential.";
  if ("client" in scheme) return "Authenticate by HTTP Basic, with your client's id and secret.";
  const scopes = Object.values(scheme).flat();
  return `Authenticate with the access token of a connection${scopes.length > 0 ? ` that has \`${scopes.join(" ")}\`` : ""}, or with a shop's API key.`;
}

function guideSection(path: string): string {
  if (path.endsWith("/authorize")) return "when-the-browser-comes-back";
  return path.startsWith("/oauth/") ? "token-endpoint" : "api";
}

/** Links to the sections of the errors guide for each `error` in the examples. */
function errorLinks(path: string, { content = {} }: Described): string | false {
  const guide = guideText("errors");
  const endpoint = path.startsWith("/oauth/") ? "token" : "api";
  const errors = Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples as Record<string, { value: unknown }>))
    .map(({ value }) => (value as { error?: string } | null)?.error ?? "");
  const links = [...new Set(errors)]
    .map((error) => [error, `${endpoint}-${error.replaceAll("_", "-")}`])
    .filter(([, anchor]) => guide.includes(`<span id="${anchor}">`))
    .map(([error, anchor]) => `[\`${error}\`](/docs/errors#${anchor})`);
  return links.length > 0 && `Cause and fix: ${links.join(", ")}`;
}

/** The examples of a body as Markdown, each below its summary. */
function examplesOf({ content = {} }: Described): string[] {
  return Object.values(content).flatMap(({ examples = {} }) =>
    Object.values(examples as Record<string, { summary?: string; value: unknown }>).map(
      ({ summary, value }) =>
        joinParts([
          summary && `${summary.replace(/\.$/, "")}:`,
          typeof value === "string"
            ? `\`\`\`text answer\n${value.trimEnd()}\n\`\`\``
            : `\`\`\`json answer\n${JSON.stringify(value, null, 2)}\n\`\`\``,
        ]),
    ),
  );
}

/** A value's constraints besides its type. Patterns of times are omitted: the example says more. */
function bounds({ enum: values, pattern, minimum, maximum, ...most }: Described) {
  return [
    values && `One of ${values.map(code).join(", ")}.`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    most.maxLength !== undefined && `${most.minLength ?? 0} to ${most.maxLength} characters.`,
    most.maxItems !== undefined && `At most ${most.maxItems}.`,
    pattern !== undefined &&
      (pattern.startsWith("^\\d{4}-") ? "A time: RFC 3339." : `Form: ${code(pattern)}.`),
  ];
}

const code = (value: unknown): string =>
  `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

const joinParts = (parts: readonly (string | false | undefined)[]): string =>
  parts.filter(Boolean).join("\n\n");
