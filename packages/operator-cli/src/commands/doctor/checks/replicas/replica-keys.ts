import type { KnowingReport, PublishingReport } from "@partner-connect/signing-keys";
import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";
import { silence, told } from "../../replica-answer.ts";

/** They fetch the keys every minute, and caches between may keep them for five. */
const STALE_SECONDS = 400;

type Report = { readonly name: string } & (PublishingReport | KnowingReport);

/** Every authorization server signs by the same key, and every resource server knows what they publish. */
export const replicaKeys: Check = {
  name: "replica-keys",
  async look({ answers }) {
    const found = await answers("/keys");
    const reports = told(found).map(({ name, text }) => ({ name, ...JSON.parse(text) }) as Report);
    const publishing = reports.filter((report) => "published" in report);
    const knowing = reports.filter((report) => "known" in report);
    const published = [...new Set(publishing.flatMap((report) => report.published))];
    const active = new Set(publishing.map((report) => report.active));
    const lacking = (kids: readonly string[]) => published.filter((kid) => !kids.includes(kid));
    const problems = [
      ...silence(found),
      ...(active.size > 1 ? publishing.map(({ name, active }) => `${name} signs by ${active}`) : []),
      ...publishing.flatMap(({ name, published }) =>
        lacking(published).map((kid) => `${name} does not publish ${kid}`),
      ),
      ...publishing.flatMap(({ name, keys_file_problem }) =>
        keys_file_problem === null ? [] : [`${name}: ${keys_file_problem}`],
      ),
      ...knowing.flatMap(({ name, known }) => lacking(known).map((kid) => `${name} does not know ${kid}`)),
      ...knowing.flatMap(({ name, age_seconds: age }) =>
        age === null || age > STALE_SECONDS
          ? [`${name} has fetched the keys ${age === null ? "never" : `${age} s ago`}`]
          : [],
      ),
    ];
    return unless(
      problems,
      reports.length === 0 ? "no replica was named" : `all sign by ${[...active].join(", ")}, and all know it`,
      "look again in a minute; if it stays so, compare the keys files, and see that JWKS_URL leads to the authorization servers",
    );
  },
};
