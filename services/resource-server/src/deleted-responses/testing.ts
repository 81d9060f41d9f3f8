import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { deleteResponses, importResponses } from "@partner-connect/survey-data";
import { ISSUER, type TestResourceServer, type TestShop } from "../testing.ts";

export interface Deletion {
  readonly id: string;
  readonly deleted_at: string;
}

export interface DeletionList {
  readonly data: readonly Deletion[];
  readonly prev: string | null;
  readonly next: string | null;
}

/** What operators do to a shop's responses. */
export function deletionsOf(server: TestResourceServer, shop: TestShop) {
  const options = { shopId: shop.id };
  return {
    async import(...ids: readonly string[]): Promise<void> {
      const lines = ids.map((id) => `${JSON.stringify({ id, question: "How?", response: "TV" })}\n`);
      await importResponses(server.owner, { ...options, lines }, TEST_OPERATOR);
    },
    async delete(...ids: readonly string[]): Promise<void> {
      await deleteResponses(server.owner, { ...options, ids }, TEST_OPERATOR);
    },
    /** A page; `query` may be a link. */
    async page(query = ""): Promise<DeletionList> {
      const path = query.startsWith(ISSUER) ? query.slice(ISSUER.length) : `/api/deleted-responses?${query}`;
      const response = await server.get(path, shop.apiKey);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as DeletionList;
    },
  };
}

export const idsOf = ({ data }: DeletionList): string[] => data.map(({ id }) => id);
