import type { Command } from "@commander-js/extra-typings";
import { countRevocable } from "@partner-connect/connections";
import {
  clientByIdOrName,
  listApiKeys,
  membersOfShop,
  refuseSoleMember,
  requireMerchant,
  shopByIdOrName,
  shopsOfMerchant,
  testShopsOf,
} from "@partner-connect/directory";
import {
  type ErasableKeys,
  erasableKeys,
  eraseClient,
  eraseMerchant,
  eraseShop,
} from "@partner-connect/erasure";
import { countRecords } from "@partner-connect/survey-data";
import pRetry from "p-retry";
import { type Answer, CLIENT, type Cli, MERCHANT, type OpenStack, SHOP, YES } from "../cli.ts";
import { OperatorError } from "../errors.ts";
import { countOf } from "../print.ts";
import { withProgress } from "../progress.ts";

interface Erasure {
  /** The text that the operator types to confirm. */
  readonly name: string;
  readonly effects: readonly string[];
  readonly run: (keys: ErasableKeys) => Promise<Answer>;
}

/**
 * Makes `command` erase for good what `find` returns, after the operator has confirmed the effects
 * and Redis has answered.
 */
function addErasure(
  command: Command,
  cli: Cli,
  argument: readonly [flags: string, description: string],
  find: (stack: OpenStack, given: string) => Promise<Erasure>,
): void {
  const eraseCommand = command.argument(...argument).option(...YES);
  cli.setSqlAction(
    eraseCommand,
    async (stack, given, consent) => {
      const { name, effects, run } = await find(stack, given);
      await cli.confirmErasure(consent, [...effects, ...WHAT_STAYS], name);
      return await withRedisKeys(stack, run);
    },
    { statementTimeout: 0 },
  );
}

const WHAT_STAYS = [
  "Names and addresses are removed from the audit log. The events stay, under ids, until their months are dropped.",
  "Logs contain ids and network addresses, but no names; backups are not changed.",
];

export function addClientDelete(group: Command, cli: Cli): void {
  const command = group
    .command("delete")
    .description(
      "Delete a client for good: its connections, secrets, logo, counts, and its names in the audit log",
    );
  addErasure(command, cli, CLIENT, async ({ sql, actor }, given) => {
    const { id, name } = await clientByIdOrName(sql, given);
    const total = await countRevocable(sql, { clientId: id });
    const testShops = await testShopsOf(sql, id);
    const ended = `${countOf(total, "connection")} of merchants end${total === 1 ? "s" : ""} at once`;
    return {
      name,
      effects: [
        `The client ${name} (${id}) is deleted for good; ${ended}.`,
        ...(testShops.length > 0
          ? [`Its ${countOf(testShops.length, "test shop")} of made-up responses are erased.`]
          : []),
      ],
      run: async (keys) => {
        const erased = await withProgress(cli.terminal, { noun: "connection", total }, (report) =>
          eraseClient(sql, id, actor, keys, report),
        );
        return {
          json: { client_id: id, erased },
          text: `The client ${id} is deleted, with ${countOf(erased.connections, "connection")}.`,
        };
      },
    };
  });
}

export function addMerchantErase(group: Command, cli: Cli): void {
  const command = group
    .command("erase")
    .description(
      "Erase a merchant: the account, sessions, links, and the address in the audit log; shops and connections stay",
    );
  addErasure(command, cli, MERCHANT, async ({ sql, actor }, given) => {
    const { id, email, name } = await requireMerchant(sql, given);
    await refuseSoleMember(sql, id);
    const { length: shops } = await shopsOfMerchant(sql, id);
    return {
      name: email,
      effects: [
        `${name} (${email}) is erased for good: name, address, password, sessions, links, devices, and the membership of ${countOf(shops, "shop")}.`,
        "Shops and their connections stay.",
      ],
      run: async (keys) => {
        const erased = await eraseMerchant(sql, id, actor, keys);
        return {
          json: { id, erased },
          text: `The merchant ${id} is erased. The address was removed from ${countOf(erased.audit_records, "record")} of the audit log.`,
        };
      },
    };
  });
}

export function addShopErase(group: Command, cli: Cli): void {
  const command = group
    .command("erase")
    .description(
      "Erase a shop: responses, questions, sources, connections, keys, counts, and names in the audit log",
    );
  addErasure(command, cli, SHOP, async ({ sql, actor }, given) => {
    const { id, name } = await shopByIdOrName(sql, given);
    const { responses, questions, sources } = await countRecords(sql, id);
    const connections = await countRevocable(sql, { shopId: id });
    const { length: members } = await membersOfShop(sql, id);
    const keys = (await listApiKeys(sql, { shopId: id })).filter(({ revokedAt }) => !revokedAt);
    return {
      name,
      effects: [
        `The shop ${name} (${id}) is erased for good, with ${countOf(responses + questions + sources, "response, question or source")}.`,
        `${countOf(connections, "connection")} and ${countOf(keys.length, "API key")} end at once. Partners keep the data that they have read.`,
        `${countOf(members, "member")} of it keep${members === 1 ? "s" : ""} the account.`,
      ],
      run: async (keys) => {
        const erased = await withProgress(cli.terminal, { noun: "row", total: null }, (report) =>
          eraseShop(sql, id, actor, keys, report),
        );
        const survey = countOf(erased.rows, "row");
        return {
          json: { id, erased },
          text: `The shop ${id} is erased: ${survey} of its survey, ${countOf(erased.connections, "connection")}.`,
        };
      },
    };
  });
}

/**
 * Runs `work` with the keys in Redis once Redis answers. @throws {OperatorError} REDIS_UNKNOWN,
 * REDIS_UNAVAILABLE: nothing was changed
 */
async function withRedisKeys<T>({ redisUrl }: OpenStack, work: (keys: ErasableKeys) => Promise<T>) {
  if (redisUrl === null) {
    const problem = "REDIS_URL is not set: an erasure also deletes sessions and tokens in Redis";
    throw new OperatorError(problem, { code: "REDIS_UNKNOWN" });
  }
  const { connectRedis } = await import("@partner-connect/service-runtime");
  const redis = connectRedis(redisUrl, "partner-connect", { silence: 3000 });
  const keys = erasableKeys(redis);
  const explainFailure = async <R>(asked: Promise<R>): Promise<R> =>
    await asked.catch((error: Error) => {
      throw new OperatorError(`Redis does not answer (${error.message})`, {
        code: "REDIS_UNAVAILABLE",
      });
    });
  try {
    // Retry, because commands fail at once while the client connects.
    const pace = {
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: 3000,
      minTimeout: 50,
      factor: 1,
    };
    await explainFailure(pRetry(() => redis.get("partner-connect"), pace));
    return await work({
      deleteMerchantKeys: (...merchant) => explainFailure(keys.deleteMerchantKeys(...merchant)),
      deleteTokenUses: (hashes) => explainFailure(keys.deleteTokenUses(hashes)),
    });
  } finally {
    redis.disconnect();
  }
}
