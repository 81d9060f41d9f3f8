import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import type { Fault, FaultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { randomFaults } from "../../harness/faults/random-faults.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const PACKAGE = fileURLToPath(new URL("../../../packages/partner-sdk-python/", import.meta.url));

/** A fault for the next call whose path has this prefix. */
type PlannedFault = Fault & { readonly path: string };

interface Question {
  readonly do: string;
  readonly url: string;
  readonly shop: { readonly name: string };
  readonly arguments: readonly string[];
  readonly stdin: string;
  readonly plan: PlannedFault[];
  readonly seed: number;
  readonly one_in: number;
}

/** Runs the package's Python programs on the shared stack; they ask for people's acts over HTTP. */
export async function pythonWorld(proxy: FaultyProxy) {
  const stack = mainStack();
  const { client, merchant, shop, advancedShop } = await onboard(stack);
  const browser = merchantBrowser(merchant);
  let begun = 0;

  async function answer(question: Question): Promise<unknown> {
    switch (question.do) {
      case "approve":
        return await browser.approve(question.url, question.shop);
      case "decline":
        return await browser.decline(question.url);
      case "operator":
        return await operator(stack, question.arguments, { stdin: question.stdin });
      case "faults":
        proxy.choose(planned(question.plan));
        begun = proxy.calls.length;
        return null;
      case "random_faults":
        proxy.choose(randomFaults(question.seed, question.one_in));
        return null;
      case "calls":
        return proxy.calls.slice(begun);
      default:
        throw new Error(`nobody can ${question.do}`);
    }
  }

  const control = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    try {
      outgoing.end(JSON.stringify(await answer(JSON.parse(Buffer.concat(chunks).toString()))));
    } catch (error) {
      outgoing.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));

  const world = {
    control: `http://127.0.0.1:${(control.address() as { port: number }).port}`,
    base_url: stack.base_url,
    client_id: client.clientId,
    client_secret: client.secret,
    redirect_uri: REDIRECT_URI,
    shop,
    advanced_shop: advancedShop,
    faulty_url: proxy.url,
  };
  return {
    run: (...args: readonly string[]) => python(args, JSON.stringify(world)),
    stop: () => void control.close().closeAllConnections(),
  };
}

function planned(plan: PlannedFault[]) {
  return ({ path }: { path: string }): Fault | null => {
    const index = plan.findIndex((fault) => path.startsWith(fault.path));
    return index === -1 ? null : (plan.splice(index, 1)[0] ?? null);
  };
}

/** Warnings are errors, for example an unclosed socket or file, or a deprecated name. */
function python(args: readonly string[], world: string) {
  const env = { PATH: process.env["PATH"], PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn(process.env["PYTHON"] ?? "python3", ["-W", "error", ...args], {
    cwd: PACKAGE,
    env: { ...env, PARTNER_CONNECT_TEST_WORLD: world },
    timeout: 300_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
