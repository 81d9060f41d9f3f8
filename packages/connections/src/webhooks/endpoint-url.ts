import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

const MAX_LENGTH = 500;
const LOOPBACK_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

export interface UrlRules {
  /** Allows endpoints on this machine, also with http, for development. */
  readonly allowLoopback: boolean;
}

/** Returns why this URL can't be an endpoint, regardless of DNS; or null. */
export function endpointUrlProblem(text: string, { allowLoopback }: UrlRules): string | null {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  // `new URL` would repair other forms.
  if (!/^https?:\/\/[^/\\?#]/i.test(text)) return "is not an https:// URL";
  const url = URL.parse(text);
  if (/[\s\p{C}\\]/u.test(text) || !url) return "is not a valid URL";
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return "has a user name or password (@)";
  if (text.includes("#")) return "has a fragment (#)";
  if (allowLoopback && isLoopbackHost(url.hostname)) return null;
  if (url.protocol === "http:") return "is http; it must be https";
  if (url.port !== "" && Number(url.port) < 1024) return "has a port that is neither 443 nor from 1024 to 65535";
  return hostProblem(hostOf(url));
}

/** The host without the brackets of an IPv6 address. `URL` has normalized forms of 127.0.0.1 such as 0x7f.1. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}

function hostProblem(host: string): string | null {
  if (isIP(host)) return isPublicAddress(host) ? null : `has ${host}, which is not a public address`;
  return /^[^.]+(?:\.[^.]+)+\.?$/.test(host) && !/(?:^|\.)localhost\.?$/.test(host)
    ? null
    : "has a host without a public name";
}
