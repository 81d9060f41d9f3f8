import { changeDatabaseUrl, parseDatabaseUrl } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import { startMovingIncomingJobs } from "./incoming-jobs.ts";

test.skipIf(!process.env["CITUS_URL"])(
  "a job that a service adds on a Citus worker node is moved once to the coordinator's queue",
  async () => {
    const database = await suiteDatabase();
    const sql = database.connect(database.url, { name: "test" });
    const workers = database.connect(database.workerUrl, { name: "test", connections: 2 });
    const { user, password } = parseDatabaseUrl(database.authorizationServerUrl);
    const node = changeDatabaseUrl(database.workers[0] ?? "", { user, password });
    const server = database.connect(node, { name: "test", connections: 1 });
    await server`SELECT oauth.add_mail('test', 'mer_1', NULL, '{}', NULL)`;
    const incoming = [
      startMovingIncomingJobs(workers, "worker_jobs"),
      startMovingIncomingJobs(workers, "worker_jobs"),
    ];
    await expect
      .poll(() => sql`SELECT FROM oauth.incoming_worker_jobs`.then(({ length }) => length))
      .toBe(0);
    await Promise.all(incoming.map((each) => each.close()));
    expect([
      ...(await sql`SELECT name, data ->> 'merchant_id' AS "to" FROM worker_jobs.job`),
    ]).toEqual([{ name: "mail", to: "mer_1" }]);
  },
);
