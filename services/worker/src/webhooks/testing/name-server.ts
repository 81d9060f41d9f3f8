import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";
import { decode, encode, RECURSION_AVAILABLE, RECURSION_DESIRED } from "dns-packet";

/** Undefined if queries get no response. A function may return other addresses each time. */
type Addresses = readonly string[] | undefined | (() => readonly string[]);

/** RFC 1035 §4.1.1: the response code for a name that does not exist. */
const NXDOMAIN = 3;

/** A name server on UDP: its `address`, the addresses of its `names`, and the names `asked`. */
export async function startNameServer() {
  const names = new Map<string, Addresses>();
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { id = 0, questions = [] } = decode(query);
    const [{ name, type } = { name: "", type: "A" }] = questions;
    asked.push(name.toLowerCase());
    const given = names.get(name.toLowerCase());
    if (given === undefined && names.has(name.toLowerCase())) return;
    const known = typeof given === "function" ? given() : given;
    const found = (known ?? []).filter((address) => type === (isIPv4(address) ? "A" : "AAAA"));
    const answers = found.map((data) => ({ type: type as "A" | "AAAA", name, data, ttl: 0 }));
    const flags = RECURSION_DESIRED | RECURSION_AVAILABLE | (known ? 0 : NXDOMAIN);
    socket.send(encode({ type: "response", id, flags, questions, answers }), from.port);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    close: () => socket.close(),
  };
}
