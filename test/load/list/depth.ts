import { median } from "../table.ts";
import type { BenchStack } from "./bench-stack.ts";
import { client } from "./client.ts";
import { PAGE } from "./throughput.ts";

const SORTS = ["inserted_at_desc", "inserted_at_asc", "updated_at_desc", "updated_at_asc"] as const;

/** A walk through the shop: its first page, and a page after nine tenths of the responses. */
export interface Walk {
  readonly name: string;
  readonly first: string;
  readonly deep: string;
}

/** The four sorts in both directions; `ending_before` walks from the end, so its first page is the last one. */
export async function walks({ sql, shopId, size }: BenchStack): Promise<readonly Walk[]> {
  const depth = (size.responses / 3) * 0.9;
  const found: Walk[] = [];
  for (const sort of SORTS) {
    const [column = "", direction = ""] = sort.split(/_(?=desc|asc)/);
    const idAt = async (offset: number, order: string): Promise<string> => {
      const [row] = await sql.unsafe<{ id: string }[]>(
        `SELECT id FROM survey.responses WHERE shop_id = $1
         ORDER BY ${column} ${order}, id ${order} OFFSET $2 LIMIT 1`,
        [shopId, offset],
      );
      return row?.id ?? "";
    };
    const path = `/api/responses?limit=${PAGE}&sort=${sort}`;
    const opposite = direction === "desc" ? "asc" : "desc";
    found.push(
      { name: `${sort}, next`, first: path, deep: `${path}&starting_after=${await idAt(depth, direction)}` },
      {
        name: `${sort}, prev`,
        first: `${path}&ending_before=${await idAt(0, opposite)}`,
        deep: `${path}&ending_before=${await idAt(depth, opposite)}`,
      },
    );
  }
  return found;
}

/** Median time of the deep page divided by that of the first page, end to end, asked in turns on one connection. */
export async function depthRatio(stack: BenchStack, { first, deep }: Walk, times: number): Promise<number> {
  const asker = client(stack.apiUrl, `Bearer ${stack.accessToken}`);
  try {
    const taken: [number[], number[]] = [[], []];
    for (let i = 0; i < times; i++) {
      taken[0].push((await asker.get(first)).ms);
      taken[1].push((await asker.get(deep)).ms);
    }
    return median(taken[1]) / median(taken[0]);
  } finally {
    asker.close();
  }
}
