import { isIPv6 } from "node:net";

/** The network that an address stands for when attempts are counted: an IPv4 address, or an IPv6 /64. */
export function networkOf(ip: string): string {
  const address = (ip.split("%", 1)[0] ?? "").toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  const full = [...groups, ...Array.from({ length: Math.max(missing, 0) }, () => "0"), ...after];
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
