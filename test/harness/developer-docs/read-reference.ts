import { type ApiDocument, differencesFrom } from "@partner-connect/contract/testing";
import { referenceSamples, snippetsOf, withBaseUrl } from "@partner-connect/developer-docs/testing";
import { send } from "../actors/http.ts";
import { partner } from "../actors/partner.ts";
import { importRecords } from "../actors/survey.ts";
import { type Programs, runProgram } from "./programs.ts";
import { REDIRECT_URI, type ReaderWorld } from "./reader-world.ts";
import { openShell } from "./shell.ts";

type Language = "ts" | "python";

interface OperationSamples {
  readonly operationId: string;
  readonly shell: readonly string[];
  readonly ts: string;
  readonly python: string;
}
type Samples = readonly OperationSamples[];

function samplesOf([operationId, text]: readonly [string, string]): OperationSamples {
  const snippets = snippetsOf(text);
  const inLanguage = (language: string) =>
    snippets.filter((snippet) => snippet.language === language).map((snippet) => snippet.text);
  return {
    operationId,
    shell: inLanguage("bash"),
    ts: inLanguage("ts").join("\n"),
    python: inLanguage("python").join("\n"),
  };
}

interface ReferenceReading {
  readonly problems: readonly string[];
  readonly run: number;
}

/** A developer who runs each request of the reference, and compares what comes with the document. What ends the connection comes last. */
export async function readReference(world: ReaderWorld, programs: Programs): Promise<ReferenceReading> {
  const { base_url: base } = world.stack;
  const text = (await send(`${base}/api/openapi.json`)).text;
  const samples = [...referenceSamples()].map(samplesOf);
  const ordered = samples.toSorted((a, b) => Number(a.operationId === "revoke") - Number(b.operationId === "revoke"));
  const document = JSON.parse(text) as ApiDocument;
  await importRecords(world.stack, "question", world.advancedShop, [{ id: 1, prompt: "How did you hear about us?" }]);
  const shell = await runInShell(ordered, { world, programs, document });
  const inLanguage = (language: Language) => runAsProgram(ordered, language, { world, programs });
  return {
    problems: [...shell.problems, ...(await inLanguage("ts")), ...(await inLanguage("python"))],
    run: shell.run + 2 * ordered.length,
  };
}

interface Reader {
  readonly world: ReaderWorld;
  readonly programs: Programs;
}

async function runInShell(samples: Samples, { world, programs, document }: Reader & { document: ApiDocument }) {
  const { stack, client, browser, advancedShop } = world;
  const scope = "responses:read sources:write";
  const obtained = await partner(stack, client).obtainCode(browser, advancedShop, { redirectUri: REDIRECT_URI, scope });
  const shell = openShell(programs.folder, {
    BASE: stack.base_url,
    CLIENT_ID: client.clientId,
    CLIENT_SECRET: client.secret,
    REDIRECT_URI,
    STATE: obtained.state,
    CODE: obtained.code,
    CODE_VERIFIER: obtained.codeVerifier,
    CODE_CHALLENGE: new URL(obtained.url).searchParams.get("code_challenge") ?? "",
  });
  const differences = differencesFrom(document);
  const problems: string[] = [];
  let run = 0;
  try {
    await shell.run('curl() { command curl -i "$@"; }');
    for (const { operationId, shell: commands } of samples) {
      for (const command of commands) {
        run++;
        const ran = await shell.run(command);
        const answer = readAnswer(ran.stdout);
        if (answer.status >= 400 || ran.stderr) problems.push(`${operationId}: ${ran.stdout} ${ran.stderr}`);
        problems.push(...differences(operationId, answer));
        const { access_token, refresh_token } = operationId === "token" ? JSON.parse(answer.body) : {};
        // What a refresh gave for less is not what the next calls need.
        if (refresh_token) await shell.run(`ACCESS_TOKEN=${access_token}; REFRESH_TOKEN=${refresh_token}`);
      }
    }
  } finally {
    shell.close();
  }
  return { problems, run };
}

/** As `curl -i` prints it. */
function readAnswer(printed: string) {
  const [head = "", ...rest] = printed.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((one) => one.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return {
    status: Number(line.split(" ")[1]),
    header: (name: string) => headers.get(name),
    body: rest.join("\r\n\r\n"),
  };
}

/** All samples of a language are one program, with what the SDK's page and a web server have around them. */
async function runAsProgram(samples: Samples, language: Language, { world, programs }: Reader): Promise<string[]> {
  const { begin, between, mark } = GLUE[language];
  const parts = samples.flatMap((sample) => [
    mark(sample.operationId),
    sample[language],
    sample.operationId === "authorize" ? between : "",
    sample.operationId === "token" ? CONNECTION[language] : "",
  ]);
  const text = withBaseUrl([begin, ...(language === "ts" ? scoped(parts) : parts)].join("\n"), world.stack.base_url);
  const snippet = {
    language,
    file: language === "ts" ? "reference.ts" : "reference.py",
    text,
    isAnswer: false,
    line: 0,
  };
  const { client, advancedShop } = world;
  const credentials = { CLIENT_ID: client.clientId, CLIENT_SECRET: client.secret };
  const reader = {
    world: { ...world, shopOf: { [language]: advancedShop } },
    variables: text.includes("ACCESS_TOKEN") ? await world.variables() : credentials,
  };
  const ran = await runProgram(snippet, [snippet], programs, reader);
  if (ran?.exitCode !== 0 || ran.stderr) return [`${language}: exit ${ran?.exitCode}: ${ran?.stderr}`];
  const printed = ran.stdout.split(/^## /m).slice(1);
  return [
    ...(printed.length === samples.length ? [] : [`${language}: ${printed.length} samples ran`]),
    ...printed
      .filter((part) => part.trim().split("\n").length < 2)
      .map((part) => `${language}: ${part.trim()} printed nothing`),
  ];
}

/** The names of one sample are not those of the next, but for what the first two hand on. */
function scoped(parts: readonly string[]): string[] {
  const first = parts.slice(0, 8);
  const rest = parts.slice(8);
  return [...first, ...rest.map((part) => (part === "" ? "" : `{\n${part}\n}`))];
}

const CONNECTION = {
  ts: "const connectionId = connection.id;",
  python: "shop = partner_connect.shop(connection.refresh_token)",
};

const GLUE = {
  ts: {
    begin: `import { createServer } from "node:http";
import { MemoryStore, PartnerConnect } from "@partner-connect/partner-sdk";

const partnerConnect = new PartnerConnect({
  baseUrl: "{base_url}",
  clientId: process.env["CLIENT_ID"] ?? "",
  clientSecret: process.env["CLIENT_SECRET"] ?? "",
  store: new MemoryStore(),
});`,
    between: `const callbackUrl = await new Promise<string>((resolve) => {
  const server = createServer((request, response) => {
    response.end();
    server.close();
    resolve(request.url ?? "");
  }).listen(3456);
});`,
    mark: (operationId: string) => `console.log("## ${operationId}");`,
  },
  python: {
    begin: `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from partner_connect import PartnerConnect

partner_connect = PartnerConnect(
    base_url="{base_url}",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
)`,
    between: `class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        global callback_url
        callback_url = self.path
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("localhost", 3456), Callback).handle_request()`,
    mark: (operationId: string) => `print("## ${operationId}")`,
  },
} as const;
