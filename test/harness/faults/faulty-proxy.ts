import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { afterAll, beforeEach } from "vitest";

export type Fault =
  /** The request never arrives. */
  | { readonly fault: "drop-request" }
  /** The request takes effect; its response is lost. */
  | { readonly fault: "drop-answer" }
  /** The response is truncated: after `afterBytes`, or in the middle. */
  | { readonly fault: "cut"; readonly afterBytes?: number }
  /** The request arrives twice in sequence, and this response is returned. */
  | { readonly fault: "double"; readonly answer: "first" | "second" }
  /** The response comes late. */
  | { readonly fault: "delay"; readonly ms: number }
  /** The response arrives when this resolves. */
  | { readonly fault: "hold"; readonly until: Promise<unknown> }
  /** A gateway in between responds, and the request doesn't arrive. */
  | {
      readonly fault: "gateway";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface ProxiedCall {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** Null without a fault. */
  readonly fault: Fault["fault"] | null;
  /** The server's status, if the request arrived; for a doubled one, of the returned response. */
  status?: number;
}

export type ChooseFault = (call: { readonly path: string }) => Fault | null;

export type FaultyProxy = Awaited<ReturnType<typeof faultyProxy>>;

/** Starts a proxy between a file's partners and the stack with the base URL `target`. */
export async function faultyProxy(target: string) {
  const { port: targetPort, host } = new URL(target);
  const calls: ProxiedCall[] = [];
  let choose: ChooseFault | null = null;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = incoming;
    const body = await read(incoming);
    const fault = choose?.({ path }) ?? null;
    const call: ProxiedCall = { method, path, fault: fault?.fault ?? null };
    calls.push(call);
    const ask = async () => {
      const answer = await forward({ port: targetPort, host, incoming, body });
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: await read(answer) };
    };
    if (fault?.fault === "drop-request") return breakOff(incoming);
    if (fault?.fault === "gateway") {
      outgoing.writeHead(fault.status, { "content-type": "text/html", ...fault.headers });
      return void outgoing.end("<h1>A gateway on the way</h1>");
    }
    let answer = await ask();
    if (fault?.fault === "double") {
      const second = await ask();
      if (fault.answer === "second") answer = second;
    }
    call.status = answer.status;
    if (fault?.fault === "drop-answer") return breakOff(incoming);
    if (fault?.fault === "delay") await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.fault === "hold") await fault.until;
    outgoing.writeHead(answer.status, answer.headers);
    if (fault?.fault !== "cut") return void outgoing.end(answer.body);
    const bytes = fault.afterBytes ?? Math.floor(answer.body.length / 2);
    outgoing.write(answer.body.subarray(0, bytes), () => breakOff(incoming));
  }

  const server = createServer(
    (incoming, outgoing) => void handle(incoming, outgoing).catch(() => breakOff(incoming)),
  );
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
    /** `fetch` by way of this proxy, for programs that have to know the stack's own address. */
    fetch: ((input, init) =>
      fetch(String(input).replace(target, url), init)) as typeof globalThis.fetch,
    /** Sets the faults until the test's end; null sets none. */
    choose(next: ChooseFault | null) {
      choose = next;
    },
    /** Applies these faults, in order, to the next calls of this path or of any. */
    chooseInTurn(faults: readonly Fault[], only?: string) {
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
    // Hop-by-hop headers (RFC 9110 §7.6.1).
    delete headers["transfer-encoding"];
    delete headers.connection;
    const { method, url: path } = incoming;
    const outgoing = request(
      { host: "127.0.0.1", port: port || "80", method, path, headers },
      resolve,
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function breakOff(incoming: IncomingMessage): void {
  incoming.socket.resetAndDestroy();
}
