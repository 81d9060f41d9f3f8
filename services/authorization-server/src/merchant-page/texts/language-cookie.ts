import { type MerchantCookie, merchantCookie } from "../forms/merchant-cookie.ts";

const YEAR = 365 * 24 * 3600;

/** The language that the reader chose on a page of ours. It goes before those that the browser asks for. */
export function languageCookie(publicBaseUrl: string): MerchantCookie {
  return merchantCookie(publicBaseUrl, "merchant_language", { maxAgeSeconds: YEAR, form: /^[a-z]{2}$/ });
}
