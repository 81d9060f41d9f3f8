import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { WebhookError } from "./webhook.ts";

const MAX_LENGTH = 500;
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

export interface UrlRules {
  /** Allows endpoints on this machine, also with http, for development. */
  readonly allowLoopback: boolean;
}

/** Returns why this URL can't be an endpoint, regardless of DNS; or null. */
export function endpointUrlProblem(text: string, { allowLoopback }: UrlRules): string | null {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  // Checked by a pattern because `new URL` would repair other forms.
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return "is not an https:// URL";
  const url = URL.parse(text);
  if (/[\s\p{C}\\]/u.test(text) || !url) return "is not a valid URL";
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return "has a user name or password (@)";
  if (text.includes("#")) return "has a fragment (#)";
  if (allowLoopback && isLoopbackHost(url.hostname)) return null;
  if (url.protocol === "http:") return "is http; it must be https";
  if (url.port !== "" && Number(url.port) < 1024)
    return "has a port that is neither 443 nor from 1024 to 65535";
  return hostProblem(hostOf(url));
}

/**
 * The host, an IPv6 address without its brackets. `URL` has already normalized other spellings of
 * 127.0.0.1, such as 0x7f.1.
 */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/[[\]]/g, "");
}

function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}

function hostProblem(host: string): string | null {
  if (isIP(host))
    return isPublicAddress(host) ? null : `has ${host}, which is not a public address`;
  return /^[^.]+(?:\.[^.]+)+\.?$/.test(host) && !/\.localhost\.?$/.test(host)
    ? null
    : "has a host without a public name";
}

/** Azure's metadata service, which has an address in a public range. */
const AZURE_METADATA = "168.63.129.16";
/** IANA assigns global unicast addresses only from this block. */
const UNICAST_6 = ipaddr.parseCIDR("2000::/3");

/** True if a literal address is in the public ranges. An IPv4 address in IPv6 never is. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%") || address === AZURE_METADATA) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === "unicast" && (parsed.kind() === "ipv4" || parsed.match(UNICAST_6));
}

const isLoopbackAddress = (address: string): boolean =>
  ipaddr.parse(address).range() === "loopback";

export interface Egress extends UrlRules {
  /** Name servers, each `address:port` (default: the machine's). */
  readonly nameServers?: readonly string[];
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves an endpoint's host to addresses that are all public. Connect to exactly these, because
 * resolving again may return others. Queries only the name servers: search domains and /etc/hosts
 * don't apply, and a slow server can't block libuv's threads.
 * @throws {WebhookError} INVALID_WEBHOOK_URL, WEBHOOK_HOST_UNKNOWN, WEBHOOK_ADDRESS if one of the
 * addresses is not public
 */
export async function publicAddresses(
  url: string,
  egress: Egress,
  signal?: AbortSignal,
): Promise<Address[]> {
  const problem = endpointUrlProblem(url, egress);
  if (problem)
    throw new WebhookError("INVALID_WEBHOOK_URL", `the URL ${JSON.stringify(url)} ${problem}`);
  const host = hostOf(new URL(url));
  const found = await addressesOf(host, egress, signal);
  if (found.length === 0)
    throw new WebhookError("WEBHOOK_HOST_UNKNOWN", `the name ${host} can't be resolved`);
  const refused = found.find(
    (address) => !isPublicAddress(address) && !(egress.allowLoopback && isLoopbackAddress(address)),
  );
  if (refused !== undefined) {
    const refusal = `${host} resolves to ${refused}, which is not a public address`;
    throw new WebhookError("WEBHOOK_ADDRESS", refusal);
  }
  return found.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
}

async function addressesOf(
  host: string,
  { allowLoopback, nameServers }: Egress,
  signal?: AbortSignal,
) {
  if (isIP(host)) return [host];
  if (allowLoopback && isLoopbackHost(host)) return ["127.0.0.1", "::1"];
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  const stop = () => resolver.cancel();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const each = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return each.flatMap((found) => (found.status === "fulfilled" ? found.value : []));
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
