import type { FastifyReply, FastifyRequest } from "fastify";
import { seal, unseal } from "../sealed-text.ts";
import type { BrowserSecrets } from "./form-token.ts";

const HOUR_SECONDS = 3600;

/** How much the clocks of two replicas may differ. */
const CLOCK_SKEW_SECONDS = 60;

export type SealedForBrowser = ReturnType<typeof sealedForBrowser>;

/** Texts that URLs and cookies of a browser contain, sealed for it: nobody else can make or read them. Each ends by itself. */
export function sealedForBrowser(browsers: BrowserSecrets) {
  return {
    seal(reply: FastifyReply, purpose: string, text: string): string {
      return seal(`${Math.floor(Date.now() / 1000)}\n${text}`, browsers.readOrCreate(reply), purpose);
    },
    /** Null if it was sealed for another browser or purpose, if its time is over, or if it is not sealed at all. */
    open(request: FastifyRequest, purpose: string, sealed: string | null, lifeSeconds = HOUR_SECONDS): string | null {
      const secret = browsers.read(request);
      const text = secret !== null && sealed !== null ? unseal(sealed, secret, purpose) : null;
      if (text === null) return null;
      const end = text.indexOf("\n");
      const age = Math.floor(Date.now() / 1000) - Number(text.slice(0, end));
      return age >= -CLOCK_SKEW_SECONDS && age < lifeSeconds ? text.slice(end + 1) : null;
    },
  };
}
