import { connect } from "node:net";

const HOST = "Host: a\r\n";
const POST = `POST /oauth/api/token HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

/** What never becomes a request, or never ends, by how it begins. Its sender drips bytes for ever. */
const OPENINGS = {
  "no HTTP": "nonsense\r\n\r\n",
  "a header that is too large": `GET / HTTP/1.1\r\n${HOST}X: ${"x".repeat(20_000)}`,
  "a header without an end": `GET / HTTP/1.1\r\n${HOST}X: `,
  "a body without an end": `${POST}Content-Length: 10000\r\n\r\n`,
  "a body without an end, by an address that takes none": `${POST.replace("/oauth/api/token", "/none")}Content-Length: 10000\r\n\r\n`,
  "a body that is too large": `${POST}Content-Length: 90000\r\n\r\n`,
  "a body of broken chunks": `${POST}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`,
  "a second request after one that ended the connection": `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
} as const;

const DRIP_MS = 50;
/** Many times what a server gives a connection that it has ended. */
const PATIENCE_MS = 30_000;

/** Those of the connections that went on after the server had ended its side, until their client gave them up. */
export async function dripAtServer(port: number): Promise<string[]> {
  const lasting = Object.entries(OPENINGS).map(async ([name, opening]) => ((await drip(port, opening)) ? [name] : []));
  return (await Promise.all(lasting)).flat();
}

/** Whether the client had to give it up. */
function drip(port: number, opening: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => socket.write(opening));
    let isGivenUp = false;
    let patience: NodeJS.Timeout | undefined;
    socket.resume();
    socket.on("error", () => {}); // it is reset in the end
    socket.once("end", () => {
      patience = setTimeout(() => {
        isGivenUp = true;
        socket.destroy();
      }, PATIENCE_MS);
    });
    const dripping = setInterval(() => socket.write("x"), DRIP_MS);
    socket.once("close", () => {
      clearInterval(dripping);
      clearTimeout(patience);
      resolve(isGivenUp);
    });
  });
}
