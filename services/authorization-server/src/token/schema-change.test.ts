import { decodeJwt } from "jose";
import { beforeAll, expect, test, vi } from "vitest";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { exchangeCode, refreshTokens, type TokenAnswer } from "../testing/token-calls.ts";

const CHANGES = 12;
/** How many refreshes are answered between one change and the next. */
const BETWEEN = 150;

interface Connected {
  readonly client: RegisteredClient;
  readonly shopId: string;
  readonly refreshToken: string;
}

const replicas = await suiteReplicas(1);
let connected: Connected[];

beforeAll(async () => {
  connected = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = await replicas.registerClient();
      const shop = await replicas.registerShop();
      const issued = await replicas.approveAndIssueCode({ ...client, ...shop });
      const { body } = await exchangeCode(app(), client, issued);
      return { client, shopId: shop.shopId, refreshToken: body.refresh_token };
    }),
  );
});

const app = () => replicas.apps[0] ?? expect.fail("no replica");

/** Null when the answer is right for this connection: its own token, or 503 with retry-after. */
function wrong({ status, headers, body }: TokenAnswer, { client, shopId }: Connected): string | null {
  if (status === 503) return headers["retry-after"] ? null : "503 without retry-after";
  if (status !== 200) return `${status} ${JSON.stringify(body)}`;
  const claims = decodeJwt(body.access_token);
  return claims.sub === shopId && claims["client_id"] === client.clientId
    ? null
    : `${shopId}: ${JSON.stringify(claims)}`;
}

test("while a column's type changes, every refresh gives the connection's own token, or 503", async () => {
  const tally = { refreshed: 0, refused: 0 };
  const wrongs: string[] = [];
  let isOver = false;
  const call = async (caller: number): Promise<void> => {
    for (let turn = caller; !isOver; turn++) {
      const connection = connected[turn % connected.length] as Connected;
      const answer = await refreshTokens(app(), connection.client, connection.refreshToken);
      const found = wrong(answer, connection);
      if (found) wrongs.push(found);
      tally[answer.status === 503 ? "refused" : "refreshed"]++;
      // As a partner does after a 503: other refreshes may run in between.
      await new Promise((resolve) => setTimeout(resolve, caller % 3));
    }
  };
  const calls = Promise.all(Array.from({ length: 12 }, (_, caller) => call(caller)));
  try {
    for (let change = 0; change < CHANGES; change++) {
      const type = change % 2 === 0 ? "varchar" : "text";
      // Not one of those that the trigger `connections_note` names: Postgres refuses to change their types.
      await replicas.sql.unsafe(`ALTER TABLE oauth.connections ALTER COLUMN id TYPE ${type} COLLATE "C"`);
      const before = tally.refreshed;
      await vi.waitUntil(() => wrongs.length > 0 || tally.refreshed >= before + BETWEEN, { timeout: 20_000 });
    }
  } finally {
    isOver = true;
  }
  await calls;
  console.info("refreshes while a column's type changes:", tally, `${wrongs.length} wrong`);
  expect(wrongs).toEqual([]);
}, 60_000);
