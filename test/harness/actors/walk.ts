import { send } from "./http.ts";
import type { SurveyRecord } from "./survey.ts";

interface Page {
  readonly data: readonly SurveyRecord[];
  readonly prev: string | null;
  readonly next: string | null;
}

async function getPage(url: string, authorization: string): Promise<Page> {
  const { status, text, json } = await send(url, { headers: { authorization } });
  if (status !== 200) throw new Error(`${status} from ${url}: ${text}`);
  return json();
}

/** All pages from `url` to the last one, by `next` or by `prev`. */
export async function walkPages(url: string, authorization: string, link: "next" | "prev" = "next"): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | null = url; at !== null; at = pages.at(-1)?.[link] ?? null) {
    pages.push(await getPage(at, authorization));
    if (pages.length > 10_000) throw new Error(`no end of ${url}`);
  }
  return pages;
}
