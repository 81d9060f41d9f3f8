import type { WrkRequest } from "../wrk.ts";
import type { MixCaller } from "./callers.ts";

/** What is asked, and its share in a hundred. A poll asks for what is new and gets nothing. */
export const SHARES = { poll: 60, "page of 50": 25, "page of 1,000": 15 } as const;
export type Kind = keyof typeof SHARES;
export const KINDS = Object.keys(SHARES) as readonly Kind[];

/** Different pages of 1,000 that are asked of a shop. */
const LARGE_PAGES = 4;

/** The requests of a shop, without credentials. */
type ShopRequests = Readonly<Record<Kind, readonly WrkRequest[]>>;

interface Page {
  readonly data: readonly { readonly id: string; readonly updated_at: string }[];
  readonly next: string | null;
}

/** What the callers of each shop ask, by the server's own links. */
export async function shopRequests(
  apiUrl: string,
  callers: readonly MixCaller[],
  tokens: readonly string[],
): Promise<ReadonlyMap<string, ShopRequests>> {
  const requests = new Map<string, ShopRequests>();
  for (const [index, { shopId }] of callers.entries()) {
    if (requests.has(shopId)) continue;
    const ask = async (path: string): Promise<Page> => {
      const answer = await fetch(apiUrl + path, { headers: { authorization: `Bearer ${tokens[index]}` } });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Page;
    };
    const [last] = (await ask("/api/responses?sort=updated_at_desc&limit=1")).data;
    const poll = `/api/responses?sort=updated_at_asc&limit=1000&starting_after=${last?.id}&cursor_time=${last?.updated_at}`;
    if ((await ask(poll)).data.length > 0) throw new Error(`${poll}: there is something new`);
    const large = ["/api/responses?limit=1000"];
    while (large.length < LARGE_PAGES) {
      const next = new URL((await ask(large.at(-1) as string)).next ?? apiUrl);
      if (next.search === "") break;
      large.push(next.pathname + next.search);
    }
    requests.set(shopId, {
      poll: [{ method: "GET", path: poll }],
      "page of 50": [{ method: "GET", path: "/api/responses?limit=50" }],
      "page of 1,000": large.map((path) => ({ method: "GET", path })),
    });
  }
  return requests;
}

/** A request of a shop's caller. */
export interface MixRequest extends WrkRequest {
  readonly shopId: string;
}

/** The kinds of 20 requests in a row. */
const TWENTY = KINDS.flatMap((kind) => Array<Kind>(SHARES[kind] / 5).fill(kind));
/** Prime to 20, so that 20 callers in a row ask as {@link TWENTY} says, one of each. */
const STEP = 7;

/** Twenty requests of each caller, in turns: of the mix, or of one kind alone. */
export function mixOf(
  callers: readonly MixCaller[],
  tokens: readonly string[],
  shops: ReadonlyMap<string, ShopRequests>,
  only?: Kind,
): readonly MixRequest[] {
  return TWENTY.flatMap((_, turn) =>
    callers.map(({ shopId }, index) => {
      const kind = only ?? (TWENTY[(turn + index * STEP) % TWENTY.length] as Kind);
      const known = shops.get(shopId)?.[kind] ?? [];
      const request = known[(turn + index) % known.length] as WrkRequest;
      return { ...request, shopId, authorization: `Bearer ${tokens[index]}` };
    }),
  );
}
