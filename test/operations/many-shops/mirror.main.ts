import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { PartnerConnect } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { mirrorCallbacks, openMirror } from "./mirror.ts";

/** A partner's program: it keeps copies of all connected shops, and writes down each call that it makes. */
const { FOLDER = "", BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;
const calls = join(FOLDER, "calls.log");

const partnerConnect = new PartnerConnect({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  store: new SqliteStore(join(FOLDER, "connections.db")),
  async fetch(input, init) {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const note = (outcome: string | number) => appendFileSync(calls, `${pathname} ${outcome}\n`);
    try {
      const answer = await fetch(input, init);
      note(answer.status);
      return answer;
    } catch (error) {
      note((error as Error).name);
      throw error;
    }
  },
});

await partnerConnect.follow({
  ...mirrorCallbacks(openMirror(FOLDER)),
  trouble(error, connectionId) {
    if (!(error as { readonly isTemporary?: boolean }).isTemporary) console.log(connectionId, String(error));
  },
});
