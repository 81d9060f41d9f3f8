import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { afterAll, beforeEach } from "vitest";

/** A fault of one call. */
export type Fault =
  /** The request never arrives. */
  | { readonly fault: "drop-request" }
  /** The request arrives and takes effect; its answer doesn't come. */
  | { readonly fault: "drop-answer" }
  /** The answer breaks off in its body: after `afterBytes`, or in the middle. */
  | { readonly fault: "cut"; readonly afterBytes?: number }
  /** The request arrives twice, one after the other, and this one of the answers comes. */
  | { readonly fault: "double"; readonly answer: "first" | "second" }
  /** The response comes late. */
  | { readonly fault: "delay"; readonly ms: number }
  /** The answer comes when this is over. */
  | { readonly fault: "hold"; readonly until: Promise<unknown> }
  /** A gateway on the way answers for us, and the request doesn't arrive. */
  | { readonly fault: "gateway"; readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export interface ProxiedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Null where nothing went wrong. */
  readonly fault: Fault["fault"] | null;
  /** The server's own status, where it was asked; of a doubled call the one that was passed on. */
  status?: number;
}

/** Which fault a call meets. `count` is the number of calls before it. */
export type ChooseFault = (call: { method: string; path: string; body: string; count: number }) => Fault | null;

export type FaultyProxy = Awaited<ReturnType<typeof faultyProxy>>;

/** A network between the partners of a test file and a stack, on which things go wrong. @param target the base URL of a stack */
export async function faultyProxy(target: string) {
  const { port: targetPort, host } = new URL(target);
  const calls: ProxiedCall[] = [];
  let choose: ChooseFault | null = null;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = incoming;
    const body = await read(incoming);
    const fault = choose?.({ method, path, body: body.toString(), count: calls.length }) ?? null;
    const call: ProxiedCall = { method, path, fault: fault?.fault ?? null };
    calls.push(call);
    const ask = () => forward({ port: targetPort, host, incoming, body });
    switch (fault?.fault) {
      case "drop-request":
        return breakOff(incoming);
      case "drop-answer": {
        const answer = await ask();
        call.status = answer.statusCode ?? 0;
        await read(answer);
        return breakOff(incoming);
      }
      case "gateway":
        outgoing.writeHead(fault.status, { "content-type": "text/html", ...fault.headers });
        return void outgoing.end("<h1>A gateway on the way</h1>");
      case "double": {
        const first = await ask();
        const kept = { status: first.statusCode ?? 0, headers: first.headers, body: await read(first) };
        const second = await ask();
        const again = { status: second.statusCode ?? 0, headers: second.headers, body: await read(second) };
        const passed = fault.answer === "first" ? kept : again;
        call.status = passed.status;
        outgoing.writeHead(passed.status, passed.headers);
        return void outgoing.end(passed.body);
      }
      case "cut": {
        const answer = await ask();
        call.status = answer.statusCode ?? 0;
        outgoing.writeHead(call.status, answer.headers);
        outgoing.write(await beginning(answer, fault.afterBytes), () => breakOff(incoming));
        return;
      }
      default: {
        const answer = await ask();
        call.status = answer.statusCode ?? 0;
        if (fault?.fault === "delay") await new Promise((resolve) => setTimeout(resolve, fault.ms));
        if (fault?.fault === "hold") await fault.until;
        outgoing.writeHead(call.status, answer.headers);
        answer.pipe(outgoing);
        outgoing.on("close", () => answer.destroy());
      }
    }
  }

  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing).catch(() => breakOff(incoming)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  beforeEach(() => {
    choose = null;
  });
  afterAll(() => server.close().closeAllConnections());
  return {
    /** The base URL of the stack, by way of this proxy. */
    url,
    calls: calls as readonly ProxiedCall[],
    /** `fetch` that sends what is for the stack by way of this proxy: for programs that have to know the stack's own address. */
    fetch: ((input, init) => fetch(String(input).replace(target, url), init)) as typeof globalThis.fetch,
    /** Until the test's end. Without it, nothing goes wrong. */
    choose(next: ChooseFault | null) {
      choose = next;
    },
    /** The next calls, of this path or of any, meet these faults, one after another. */
    chooseInTurn(faults: readonly (Fault | null)[], only?: string) {
      const left = [...faults];
      choose = ({ path }) => (only === undefined || path === only ? (left.shift() ?? null) : null);
    },
  };
}

interface Forwarding {
  readonly port: string;
  readonly host: string;
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
}

function forward({ port, host, incoming, body }: Forwarding): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...incoming.headers, host, "content-length": String(body.length) };
    // Hop-by-hop (RFC 9110 §7.6.1).
    delete headers["transfer-encoding"];
    delete headers.connection;
    const { method, url: path } = incoming;
    const outgoing = request({ host: "127.0.0.1", port: port || "80", method, path, headers }, resolve);
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The first bytes of an answer, or its first half. The rest is not read. */
async function beginning(answer: IncomingMessage, bytes?: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    size += chunk.length;
    if (bytes !== undefined && size >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes ?? Math.floor(size / 2));
}

function breakOff(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy();
}
