import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { endpointUrlProblem, hostOf, isLoopbackHost, type UrlRules } from "./endpoint-url.ts";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
import { WebhookError } from "./webhook.ts";

export interface Egress extends UrlRules {
  /** Name servers, each `address:port` (default: the machine's). */
  readonly nameServers?: readonly string[];
}

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves an endpoint's host to addresses that are all public. Connect to exactly these, because resolving again may return others.
 * Queries only the name servers, without search domains and /etc/hosts, and without libuv's threads, which a slow server would block.
 * @throws {WebhookError} INVALID_WEBHOOK_URL, WEBHOOK_HOST_UNKNOWN, WEBHOOK_ADDRESS: one of them is not public
 */
export async function publicAddresses(url: string, egress: Egress, signal?: AbortSignal): Promise<Address[]> {
  const problem = endpointUrlProblem(url, egress);
  if (problem) throw new WebhookError("INVALID_WEBHOOK_URL", `the URL ${JSON.stringify(url)} ${problem}`);
  const host = hostOf(new URL(url));
  const found = await addressesOf(host, egress, signal);
  if (found.length === 0) throw new WebhookError("WEBHOOK_HOST_UNKNOWN", `the name ${host} can't be resolved`);
  const refused = found.find(
    (address) => !isPublicAddress(address) && !(egress.allowLoopback && isLoopbackAddress(address)),
  );
  if (refused !== undefined) {
    throw new WebhookError("WEBHOOK_ADDRESS", `${host} resolves to ${refused}, which is not a public address`);
  }
  return found.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
}

async function addressesOf(host: string, { allowLoopback, nameServers }: Egress, signal?: AbortSignal) {
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
