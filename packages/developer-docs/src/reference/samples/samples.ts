import type { DescribedDocument } from "@partner-connect/public-api/document";
import { type Endpoint, endpointGroups } from "../endpoints.ts";
import { curlSamples } from "./curl.ts";
import { plainPython, plainTypeScript } from "./plain-calls.ts";
import { SDK_CALLS } from "./sdk-calls.ts";

const SHELL = "The shell's variables are those of [First connection](/docs/first-connection).";
const SDKS =
  "`partnerConnect` and `partner_connect` are the clients that the pages of the SDKs for [TypeScript](/docs/typescript#one-client-for-each-process) and " +
  "[Python](/docs/python#one-client-per-process) make. In Python, `connection` is what `complete_authorization` returned, and `shop` is " +
  "`partner_connect.shop(connection.refresh_token)`.";

/** The calls of an operation in a shell, TypeScript and Python, as blocks of Markdown; and what they begin with. */
export function samplesOf(endpoint: Endpoint): { readonly text: string; readonly note: string } {
  const { ts, python } = programsOf(endpoint);
  const shell = curlSamples(endpoint).map(
    ({ summary, text }) => `${summary ? `${summary}:\n\n` : ""}${block("bash", text)}`,
  );
  return {
    text: [...shell, block("ts", ts), block("python", python)].join("\n\n"),
    note: endpoint.operation.operationId in SDK_CALLS ? `${SHELL} ${SDKS}` : SHELL,
  };
}

const programsOf = (endpoint: Endpoint) => {
  const call = SDK_CALLS[endpoint.operation.operationId];
  return { ts: call?.ts ?? plainTypeScript(endpoint), python: call?.python ?? plainPython(endpoint) };
};

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

interface OperationSamples {
  readonly operationId: string;
  readonly shell: readonly string[];
  readonly ts: string;
  readonly python: string;
}

/** Of all operations, in the order of the reference. */
export function referenceSamples(document: DescribedDocument): OperationSamples[] {
  return endpointGroups(document).flatMap(({ endpoints }) =>
    endpoints.map((endpoint) => ({
      operationId: endpoint.operation.operationId,
      shell: curlSamples(endpoint).map(({ text }) => text),
      ...programsOf(endpoint),
    })),
  );
}
