import { type ChildProcess, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@partner-connect/local-stack";
import { onPath } from "../../programs.ts";
import { until } from "../stack/processes.ts";
import { launchChromium } from "./chromium.ts";

/** A tab with scripts. Clicks and keys go through the engine's input, like a user's. */
export interface Tab {
  open(url: string): Promise<void>;
  /** The value of a JavaScript expression, as JSON carries it; a promise is awaited. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** `x`, `y`: CSS pixels of the viewport. `times`: 2 for a double click. */
  click(x: number, y: number, times: number): Promise<void>;
  /** Types into the field that has the focus. */
  type(text: string): Promise<void>;
  back(): Promise<void>;
  reload(): Promise<void>;
}

/** A browser with a new profile, which accepts any certificate. All tabs share its cookies. */
export interface Engine {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

interface EngineLauncher {
  readonly name: string;
  /** The missing programs, by their Debian packages. */
  missing(): string[];
  launch(): Promise<Engine>;
}

const firefoxProgram = () => onPath(["firefox-esr"]);
const miniBrowser = () => globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")[0];

export const ENGINES: readonly EngineLauncher[] = [
  { name: "Chromium", missing: () => [], launch: chromium },
  {
    name: "Firefox ESR",
    missing: () => (firefoxProgram() ? [] : ["firefox-esr"]),
    launch: firefox,
  },
  {
    name: "WebKitGTK",
    missing: () => [
      ...(onPath(["WebKitWebDriver"]) && miniBrowser() ? [] : ["webkit2gtk-driver"]),
      ...(onPath(["xvfb-run"]) ? [] : ["xvfb"]),
    ],
    launch: webKit,
  },
];

async function chromium(): Promise<Engine> {
  const browser = await launchChromium();
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en" });
  return {
    async newTab() {
      const page = await context.newPage();
      return {
        open: async (url) => void (await page.goto(url)),
        evaluate: (expression) => page.evaluate(expression),
        click: (x, y, times) => page.mouse.click(x, y, { clickCount: times }),
        type: (text) => page.keyboard.type(text),
        back: async () => void (await page.goBack()),
        reload: async () => void (await page.reload()),
      };
    },
    close: () => browser.close(),
  };
}

/** Starts Firefox, and drives it through its WebSocket (WebDriver BiDi). */
async function firefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), "partner-connect-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const program = spawn(firefoxProgram() ?? "", args, {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: profile, LANG: "en_US.UTF-8" },
  });
  const close = async () => {
    await end(program);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  let address: string | undefined;
  for await (const line of createInterface(program.stderr)) {
    address = /^WebDriver BiDi listening on (\S+)/.exec(line)?.[1];
    if (address) break;
  }
  program.stderr.resume();
  const socket = new WebSocket(`${address}/session`);
  const answers = new Map<number, (answer: BidiAnswer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(data);
    answers.get(answer.id)?.(answer);
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));

  async function send(method: string, params: object): Promise<BidiAnswer["result"]> {
    const id = answers.size + 1;
    const answer = await new Promise<BidiAnswer>((resolve) => {
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === "error") throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result;
  }

  await send("session.new", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  return {
    async newTab() {
      const { context } = await send("browsingContext.create", { type: "tab" });
      return {
        open: async (url) =>
          void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
        async evaluate(expression) {
          const script = `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`;
          const target = { context };
          const told = await send("script.evaluate", {
            target,
            expression: script,
            awaitPromise: true,
          });
          if (told.type === "exception") throw new Error(told.exceptionDetails?.text);
          return JSON.parse(told.result?.value ?? "null");
        },
        click: async (x, y, times) =>
          void (await send("input.performActions", { context, actions: clicks(x, y, times) })),
        type: async (text) =>
          void (await send("input.performActions", { context, actions: keys(text) })),
        back: async () =>
          void (await send("browsingContext.traverseHistory", { context, delta: -1 })),
        reload: async () =>
          void (await send("browsingContext.reload", { context, wait: "complete" })),
      };
    },
    close,
  };
}

interface BidiAnswer {
  readonly type: "success" | "error" | "event";
  readonly error?: string;
  readonly message?: string;
  readonly result: {
    readonly context?: string;
    readonly type?: "success" | "exception";
    readonly exceptionDetails?: { readonly text: string };
    readonly result?: { readonly value?: string };
  };
}

/** Starts WebKit in an X server without a screen, and drives it by WebDriver (HTTP). */
async function webKit(): Promise<Engine> {
  const port = await freePort();
  const driver = spawn("xvfb-run", ["-a", "WebKitWebDriver", `--port=${port}`], {
    detached: true,
    stdio: "ignore",
  });

  async function send(path: string, body?: object) {
    const method = body ? "POST" : "GET";
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: WebDriverValue };
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  await until(() => send("/status").then(Boolean, () => false));
  const webkit = { "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } };
  const { sessionId } = await send("/session", {
    capabilities: { alwaysMatch: { acceptInsecureCerts: true, ...webkit } },
  });
  const session = `/session/${sessionId}`;
  // Commands go to the window chosen last, so each waits for the one before.
  let last: Promise<unknown> = Promise.resolve();
  return {
    async newTab() {
      // MiniBrowser never finishes a click in a tab of another window.
      const { handle } = await send(`${session}/window/new`, { type: "window" });
      const ask = (path: string, body: object) => {
        const choose = () => send(`${session}/window`, { handle });
        const asked = last.then(choose, choose).then(() => send(session + path, body));
        last = asked;
        return asked;
      };
      return {
        open: async (url) => void (await ask("/url", { url })),
        evaluate: async <Value>(expression: string) =>
          (await ask("/execute/sync", { script: `return ${expression}`, args: [] })) as Value,
        click: async (x, y, times) =>
          void (await ask("/actions", { actions: clicks(x, y, times) })),
        type: async (text) => void (await ask("/actions", { actions: keys(text) })),
        back: async () => void (await ask("/back", {})),
        reload: async () => void (await ask("/refresh", {})),
      };
    },
    close: () => end(driver),
  };
}

interface WebDriverValue {
  readonly sessionId?: string;
  readonly handle?: string;
  readonly error?: string;
  readonly message?: string;
}

/** Pointer actions of WebDriver, which are the same in BiDi. */
function clicks(x: number, y: number, times: number): object[] {
  const click = [
    { type: "pointerDown", button: 0 },
    { type: "pointerUp", button: 0 },
  ];
  const actions = [
    { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
    ...Array(times).fill(click).flat(),
  ];
  return [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }];
}

function keys(text: string): object[] {
  const actions = [...text].flatMap((value) =>
    ["keyDown", "keyUp"].map((type) => ({ type, value })),
  );
  return [{ type: "key", id: "keyboard", actions }];
}

/** Ends the program with all that it has started. */
async function end(program: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => program.once("exit", resolve));
  if (program.pid && program.exitCode === null) process.kill(-program.pid, "SIGKILL");
  else return;
  await ended;
}
