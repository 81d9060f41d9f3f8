import type { DescribedBody, DescribedOperation, DescribedSchema } from "@partner-connect/public-api/document";
import { pathOf } from "../navigation.ts";
import { type Endpoint, OBJECTS_PAGE } from "./endpoints.ts";
import { filled, parametersTable, propertiesTable, typeText } from "./fields-text.ts";
import type { Resolve } from "./resolver.ts";
import { samplesOf } from "./samples/samples.ts";

/** A page of one operation, as Markdown. */
export function operationText(endpoint: Endpoint, resolve: Resolve): string {
  const { method, path, operation, title } = endpoint;
  const { summary, description, parameters, requestBody: body, responses } = operation;
  const answers = Object.entries(responses).map(([status, answer]) => ({ status, answer: resolve(answer) }));
  const success = answers.find(({ status }) => status < "400");
  const { text, note } = samplesOf(endpoint);
  return filled([
    `# ${title}`,
    `\`${method} ${path}\``,
    summary,
    callerText(operation),
    "## Request",
    text,
    note,
    description && `## Details\n\n${description}`,
    parameters && `## Parameters\n\n${parametersTable(parameters, resolve)}`,
    body && filled(["## Body", body.description, bodyText(body, resolve)]).join("\n\n"),
    "## Answer",
    success && `\`${success.status}\`: ${success.answer.description ?? ""}`,
    success && examplesOf(success.answer)[0],
    success && recordText(success.answer, resolve),
    "## All answers",
    `[Errors](/docs/errors#${guideSection(path)}) has the cause and the cure of each refusal.`,
    ...answers.map(({ status, answer }) => answerText(status, answer, resolve)),
  ]).join("\n\n");
}

function callerText({ security: [scheme] }: DescribedOperation): string {
  if (!scheme) return "For everybody, without a credential.";
  if ("client" in scheme) return "By HTTP Basic, with your client's id and secret.";
  const scopes = Object.values(scheme).flat();
  return `By the access token of a connection${scopes.length > 0 ? ` with \`${scopes.join(" ")}\`` : ""}, or by a shop's API key.`;
}

function guideSection(path: string): string {
  if (path.endsWith("/authorize")) return "when-the-browser-does-not-come-back";
  return path.startsWith("/oauth/") ? "token-endpoint" : "api";
}

const contentOf = ({ content }: DescribedBody) => Object.entries(content ?? {});

function bodyText(body: DescribedBody, resolve: Resolve): string {
  return contentOf(body)
    .map(([type, { schema }]) => {
      const choices = schema?.oneOf ?? (schema ? [schema] : []);
      const tables = choices.map((choice) => {
        const { description, ...resolved } = resolve(choice);
        return filled([description, propertiesTable(resolved, resolve)]).join("\n\n");
      });
      return [`\`${type}\``, ...tables].join("\n\n");
    })
    .join("\n\n");
}

/** Each with what it is an example of. */
function examplesOf(answer: DescribedBody): string[] {
  return contentOf(answer).flatMap(([type, { examples }]) =>
    Object.values(examples ?? {}).map(
      ({ summary, value }) => `${summary.replace(/\.$/, "")} (\`${type}\`):\n\n${block(value)}`,
    ),
  );
}

/** The fields of what is answered; of a list, those of its records. */
function recordText(answer: DescribedBody, resolve: Resolve): string {
  const [, media] = contentOf(answer)[0] ?? [];
  const whole: DescribedSchema = media?.schema ? resolve(media.schema) : {};
  const { items } = whole.properties?.["data"] ?? {};
  const record = items ? resolve(items) : null;
  const tables = [
    propertiesTable(whole, resolve),
    record && `Each record:`,
    record && propertiesTable(record, resolve),
  ];
  return filled(tables).join("\n\n");
}

/** Folded. The first example of the one that is shown before is not in it. */
function answerText(status: string, answer: DescribedBody, resolve: Resolve): string {
  const description = (answer.description ?? "").replaceAll("`", "");
  const types = contentOf(answer).map(
    ([type, { schema }]) => `\`${type}\`${schema ? ` ${typeText(schema, resolve)}` : ""}`,
  );
  const headers = Object.keys(answer.headers ?? {}).map((name) => `\`${name}\``);
  return filled([
    `<details class="answer-of"><summary><b class="status s${status[0]}">${status}</b> ${description}</summary>`,
    types.join(", "),
    ...examplesOf(answer).slice(status < "400" ? 1 : 0),
    headers.length > 0 && `[Headers](${pathOf(OBJECTS_PAGE)}#headers): ${headers.join(", ")}`,
    "</details>",
  ]).join("\n\n");
}

function block(value: unknown): string {
  return typeof value === "string"
    ? `\`\`\`text answer\n${value.trimEnd()}\n\`\`\``
    : `\`\`\`json answer\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
