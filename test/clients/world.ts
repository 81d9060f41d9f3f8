import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { mainStack, type StackUnderTest } from "../harness/stack/stacks.ts";

/** What each client library is given: a server, a client, a merchant's browser, and a shop with responses. */
export interface ClientWorld extends Onboarded {
  readonly stack: StackUnderTest;
  readonly browser: MerchantBrowser;
  /** First page of the shop's responses, three to a page. */
  readonly listUrl: string;
  /** Of the shop's responses, sorted. */
  readonly ids: readonly string[];
}

export async function clientWorld(redirectUri: string = REDIRECT_URI): Promise<ClientWorld> {
  const stack = mainStack();
  const onboarded = await onboard(stack, { redirectUris: [redirectUri] });
  const records = await generateResponses(10, "clients");
  await importRecords(stack, "response", onboarded.shop, records);
  return {
    ...onboarded,
    stack,
    browser: merchantBrowser(onboarded.merchant),
    listUrl: `${stack.base_url}/api/responses?limit=3`,
    ids: records.map(({ id }) => id).sort(),
  };
}

/** Every response's id, sorted: page after page by `next`, as the library fetches one. */
export async function listAll(firstUrl: string, getJson: (url: string) => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let url: string | null = firstUrl; url !== null; ) {
    const page = (await getJson(url)) as { data: { id: string }[]; next: string | null };
    ids.push(...page.data.map(({ id }) => id));
    url = page.next;
  }
  return ids.sort();
}
