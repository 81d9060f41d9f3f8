import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4, isIPv6 } from "node:net";

/** Undefined: it is never answered. A function may answer another time in another way. */
type Addresses = readonly string[] | undefined | (() => readonly string[]);

export interface NameServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** The addresses of each name, both families; a name that is missing is unknown. */
  readonly names: Map<string, Addresses>;
  /** The names that were asked for, once for each family. */
  readonly asked: string[];
  close(): void;
}

const A = 1;
const AAAA = 28;

/** A name server of its own (RFC 1035 §4), on UDP. */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, Addresses>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    if (names.has(name) && names.get(name) === undefined) return;
    const given = names.get(name);
    const known = typeof given === "function" ? given() : given;
    const found = (known ?? []).filter(type === A ? isIPv4 : type === AAAA ? isIPv6 : () => false);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(known ? 0x8180 : 0x8183, 2); // recursion; NXDOMAIN
    header.writeUInt16BE(found.length, 6);
    header.fill(0, 8);
    socket.send(
      Buffer.concat([header, query.subarray(12, end), ...found.map((each) => record(type, each))]),
      from.port,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, names, asked, close: () => socket.close() };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The name is the question's; it lives for no second, so that nobody keeps it. */
function record(type: number, address: string): Buffer {
  const data = bytesOf(address);
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail)];
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
