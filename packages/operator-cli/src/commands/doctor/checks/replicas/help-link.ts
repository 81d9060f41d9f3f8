import { told } from "../../ask-replicas.ts";
import { type Finding, fine, type System } from "../../system.ts";

interface PageLinks {
  readonly help: string | null;
  readonly support?: string | null;
}

/** Where the merchant pages link to for help, and the docs for partners. Without it they name nobody to ask, which is no fault. */
export async function helpLink({ answers }: System): Promise<Finding> {
  const reports = told(await answers("/page-links")).map(({ text }) => JSON.parse(text) as PageLinks);
  const [first] = reports;
  if (!first) return fine("no authorization server said where its pages link to");
  const found = [
    reports.every(({ help }) => help !== null)
      ? `merchants find help at ${first.help}`
      : "HELP_URL is not set: merchants' pages link to no help",
    reports.every(({ support }) => support)
      ? `partners at ${first.support}`
      : "SUPPORT_URL is not set: the docs for partners name no place to ask",
  ];
  return fine(found.join("; "));
}
