import { expect, onTestFinished, test } from "vitest";
import { JOB_SCHEMAS, openJobs } from "./jobs.ts";
import { migrate } from "./migrate/migrate.ts";
import { suiteDatabase } from "./testing/suite.ts";

const database = await suiteDatabase();
const roles = { worker_jobs: database.workerUrl, back_office_jobs: database.backOfficeUrl };
const kinds = { worker_jobs: "mail", back_office_jobs: "erasure" };

test.each(JOB_SCHEMAS)(
  "the rights of the role of %s suffice to add, take, finish, repeat and clear away jobs",
  async (schema) => {
    const sql = database.connect(roles[schema], { name: "jobs test", service: "worker" });
    const boss = openJobs(sql, schema);
    const errors: unknown[] = [];
    boss.on("error", (error) => errors.push(error));
    await boss.start();
    const kind = kinds[schema];
    const take = async () => {
      await sql`SELECT ${sql(schema)}.add(${kind}, ${sql.json({})}, 'a')`;
      const [job] = await boss.fetch(kind, { includeMetadata: true });
      return job?.id ?? "none";
    };
    await boss.complete(kind, await take());
    await boss.fail(kind, await take(), { reason: "x" });
    await boss.touch(kind, await take());
    await boss.deleteJob(kind, await take());
    await sql`UPDATE ${sql(schema)}.job SET state = 'active', started_on = now() - interval '1 day', keep_until = now()`;
    await boss.supervise();
    await boss.stop();
    expect(errors).toEqual([]);
  },
);

test.each(JOB_SCHEMAS)(
  "the role of %s can't have migrate run or refuse anything by its queue's tables",
  async (schema) => {
    const sql = database.connect(roles[schema], { name: "jobs test", connections: 1 });
    for (const statement of [
      "INSERT INTO bam (name, version, status, table_name, command) VALUES ('x', 1, 'pending', 'job', 'SELECT 1')",
      "UPDATE version SET version = 9999",
      "DELETE FROM version",
      "UPDATE queue SET table_name = 'job; SELECT 1'",
      "INSERT INTO schedule (name, cron) VALUES ('purge', '* * * * *')",
      "SELECT create_queue('x', '{}')",
      "SELECT job_table_run('SELECT 1')",
      "CREATE OR REPLACE FUNCTION add(kind text) RETURNS void LANGUAGE sql AS ''",
    ]) {
      const inSchema = sql.begin(async (tx) => {
        await tx.unsafe(`SET LOCAL search_path = ${schema}`);
        await tx.unsafe(statement);
      });
      await expect.soft(inSchema, statement).rejects.toMatchObject({ code: "42501" });
    }
  },
);

test("migrate refuses statements for later that are not its own, and builds indexes of an update at once", async () => {
  const owner = database.connect(database.url, { name: "jobs test", connections: 1 });
  onTestFinished(async () => void (await owner`DELETE FROM worker_jobs.bam`));
  const index = () =>
    owner`SELECT FROM pg_indexes WHERE schemaname = 'worker_jobs' AND indexname = 'job_common_i17'`;
  await owner`DROP INDEX worker_jobs.job_common_i17`;
  await owner`UPDATE worker_jobs.version SET version = version - 1`;
  await migrate(database.url);
  expect(await index()).toHaveLength(1);
  expect(await owner`SELECT FROM worker_jobs.bam`).toEqual([]);
  await owner`
    INSERT INTO worker_jobs.bam (name, version, status, table_name, command)
    VALUES ('x', 1, 'pending', 'job', 'CREATE TABLE public.taken ()')`;
  await expect(migrate(database.url)).rejects.toMatchObject({ code: "FOREIGN_STATEMENT" });
  expect(await owner`SELECT to_regclass('public.taken') AS taken`).toEqual([{ taken: null }]);
});
