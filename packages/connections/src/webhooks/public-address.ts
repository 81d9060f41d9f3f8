import { BlockList, isIP } from "node:net";

/** IPv4 ranges that are not public hosts: https://www.iana.org/assignments/iana-ipv4-special-registry, and multicast. */
const SPECIAL_4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10", // shared by carriers; Alibaba's metadata
  "127.0.0.0/8",
  "168.63.129.16/32", // Azure's metadata, although the network is public
  "169.254.0.0/16", // link-local, and most clouds' metadata
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3", // multicast, reserved, broadcast
];

/** Contains all public hosts, and excludes ::1, mapped IPv4, NAT64, unique local, link-local and multicast addresses. */
const UNICAST_6 = "2000::/3";
const SPECIAL_6 = [
  "2001::/23", // Teredo and other protocols
  "2001:db8::/32",
  "2002::/16", // 6to4: IPv4 in IPv6
  "3fff::/20",
];

const special = listOf([...SPECIAL_4, ...SPECIAL_6]);
const unicast6 = listOf([UNICAST_6]);
const loopback = listOf(["127.0.0.0/8", "::1/128"]);

/** True if a literal address is in the public ranges. IPv4 in IPv6 never is. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && !address.includes("%") && unicast6.check(address, "ipv6") && !special.check(address, "ipv6");
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return loopback.check(address, "ipv4");
  return address === "::1";
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
