import { type Sql, type Transaction, transaction } from "@partner-connect/database";

/** Shops that are deleted and made again; the first is never deleted. */
export const SHOPS = ["hats", "shoes~2", "3"] as const;
/** The first is never deleted. */
export const MERCHANTS = ["ada", "ben", "cy"] as const;

type Queries = Sql | Transaction;

export const makeShop = async (sql: Queries, id: string) => {
  await sql`INSERT INTO shops VALUES (${id}, ${id}, NULL, ${id === "hats" ? "advanced_attribution" : "standard"})`;
  await sql`INSERT INTO members VALUES (${id}, 'ada')`;
  await sql`INSERT INTO questions SELECT ${id}, n, 'Question ' || n FROM generate_series(1, 3) AS n`;
  await addResponses(sql, id, "first", 50);
};

const addResponses = (sql: Queries, shop: string, name: string, count: number) => sql`
  INSERT INTO responses (shop_id, id, question_id, response)
  SELECT ${shop}, ${`${name}-`} || n, question.id, 'TV'
  FROM generate_series(1, ${count}::integer) AS n,
    (SELECT id FROM questions WHERE shop_id = ${shop} ORDER BY md5(id || ${name}) LIMIT 1) AS question
  ON CONFLICT DO NOTHING`;

/** Changes the product's tables, as its application does. Returns the next change. */
export function randomChanges(product: Sql, random: () => number) {
  const pick = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T;
  let step = 0;

  /** Some responses, determined by `step`. */
  const some = (shop: string, limit: number) => product`
    (shop_id, id) IN (
      SELECT shop_id, id FROM responses WHERE shop_id = ${shop} ORDER BY md5(id || ${String(step)}) LIMIT ${limit})`;

  const remakeResponse = async (shop: string, separately: boolean) => {
    const id = `again-${Math.floor(random() * 20)}`;
    const remake = async (sql: Queries) => {
      await sql`DELETE FROM responses WHERE shop_id = ${shop} AND id = ${id}`;
      await sql`
        INSERT INTO responses (shop_id, id, question_id, response)
        SELECT ${shop}, ${id}, min(id), ${`Radio ${step}`} FROM questions WHERE shop_id = ${shop} HAVING count(*) > 0
        ON CONFLICT DO NOTHING`;
    };
    await (separately ? remake(product) : transaction(product, remake));
  };

  const remakeMerchant = async (id: string) => {
    await transaction(product, async (sql) => {
      await sql`DELETE FROM merchants WHERE id = ${id}`;
      await sql`INSERT INTO merchants VALUES (${id}, ${`${id}@product.example`}, ${`${id} ${step}`})`;
      await sql`INSERT INTO members SELECT id, ${id} FROM shops WHERE md5(id || ${String(step)}) < '8'`;
    });
  };

  const changes: readonly ((shop: string) => Promise<unknown>)[] = [
    (shop) => addResponses(product, shop, `r-${step}`, 1 + Math.floor(random() * 30)),
    (shop) => addResponses(product, shop, `r-${step}`, 1),
    (shop) => product`DELETE FROM responses WHERE ${some(shop, Math.floor(random() * 30))}`,
    (shop) => product`UPDATE responses SET response = ${`Podcast ${step}`} WHERE ${some(shop, 5)}`,
    (shop) => product`
      UPDATE responses SET response = ${`YouTube ${step}`}, original_response = coalesce(original_response, response)
      WHERE ${some(shop, 5)}`,
    (shop) =>
      product`UPDATE responses SET id = 'moved-' || md5(id || ${String(step)}) WHERE ${some(shop, 2)}`,
    (shop) => remakeResponse(shop, true),
    (shop) => remakeResponse(shop, false),
    (shop) => product`
      UPDATE questions SET prompt = ${`Question of step ${step}`}
      WHERE shop_id = ${shop} AND id = ${1 + Math.floor(random() * 6)}`,
    (shop) => product`
      INSERT INTO questions SELECT id, ${4 + Math.floor(random() * 3)}, ${`Question from step ${step}`}
      FROM shops WHERE id = ${shop} ON CONFLICT DO NOTHING`,
    (shop) =>
      random() < 0.2
        ? product`
            WITH deleted AS (DELETE FROM responses WHERE shop_id = ${shop} AND question_id = ${4 + (step % 3)})
            DELETE FROM questions WHERE shop_id = ${shop} AND id = ${4 + (step % 3)}`
        : product`UPDATE shops SET domain = ${`step-${step}.example`} WHERE id = ${shop}`,
    (shop) => product`
      INSERT INTO members SELECT shops.id, ${pick(MERCHANTS.slice(1))} FROM shops WHERE id = ${shop} ON CONFLICT DO NOTHING`,
    (shop) =>
      product`DELETE FROM members WHERE shop_id = ${shop} AND merchant_id = ${pick(MERCHANTS.slice(1))}`,
    () => (random() < 0.2 ? remakeMerchant(pick(MERCHANTS.slice(1))) : Promise.resolve()),
  ];

  return {
    count: () => step,
    async next(): Promise<void> {
      step += 1;
      await pick(changes)(pick(SHOPS));
    },
    /** Deletes the shop, and makes it again before or after the deletion is sent. */
    async remakeShop(id: string): Promise<void> {
      const erase = (sql: Queries) => sql`DELETE FROM shops WHERE id = ${id}`;
      if (random() < 0.5) await erase(product);
      await transaction(product, async (sql) => {
        await erase(sql);
        await makeShop(sql, id);
      });
    },
    remakeMerchant,
  };
}
