import { present } from "../../terminal/present.ts";
import { askRedis } from "./ask-redis.ts";
import { secondsAhead } from "./clock.ts";

/** What one server says of itself. */
export interface RedisServerState {
  /** In a cluster `host:port`, else empty. */
  readonly name: string;
  /** Fields of INFO, such as `used_memory`. */
  readonly info: ReadonlyMap<string, string>;
  /** Settings that CONFIG GET tells. */
  readonly settings: ReadonlyMap<string, string>;
  /** By how many seconds its clock is ahead of ours, at least. */
  readonly secondsAhead: number;
}

const SETTINGS = [
  ...["appendonly", "appendfsync", "maxmemory", "maxmemory-policy", "save", "stop-writes-on-bgsave-error"],
  "cluster-require-full-coverage",
];

export async function readServer(url: string, name: string): Promise<RedisServerState> {
  return await askRedis(url, name, async (redis) => {
    const info = new Map((await redis.info()).split("\r\n").map(pairOf));
    const listed = (await redis.config("GET", ...(SETTINGS as [string]))) as string[];
    const sent = present().getTime();
    const [seconds, microseconds] = await redis.time();
    const theirs = Number(seconds) * 1000 + Number(microseconds) / 1000;
    return {
      name,
      info,
      settings: new Map(SETTINGS.map((setting) => [setting, String(listed[listed.indexOf(setting) + 1])])),
      secondsAhead: secondsAhead(theirs, sent, present().getTime()),
    };
  });
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1)];
}
