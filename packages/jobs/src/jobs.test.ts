import { migrate } from "@partner-connect/database";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, onTestFinished, test } from "vitest";
import { installJobs } from "./install-jobs.ts";
import { addJob, countJobs } from "./jobs.ts";
import { openJobs } from "./open-jobs.ts";
import { JOB_SCHEMAS } from "./queues.ts";

const database = await suiteDatabase();
const install = () => migrate(database.url, { afterwards: installJobs });
const roles = { worker_jobs: database.workerUrl, back_office_jobs: database.backOfficeUrl };
const kinds = { worker_jobs: "mail", back_office_jobs: "erasure" };

test.each(JOB_SCHEMAS)(
  "the database role of %s may add, fetch, complete, fail and delete jobs",
  async (schema) => {
    const sql = database.connect(roles[schema], { name: "jobs test", service: "worker" });
    const boss = openJobs(sql, schema);
    const errors: unknown[] = [];
    boss.on("error", (error) => errors.push(error));
    await boss.start();
    const kind = kinds[schema];
    const take = async () => {
      await addJob(sql, schema, kind, {}, "a");
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

test("a retried job counts as waiting from its first due time, not from its creation", async () => {
  const schema = "back_office_jobs";
  const sql = database.connect(roles[schema], { name: "jobs test", service: "worker" });
  await addJob(sql, schema, "purge", {}, null, new Date(Date.now() - 60_000));
  await sql`UPDATE back_office_jobs.job SET created_on = now() - interval '1 day' WHERE name = 'purge'`;
  const boss = openJobs(sql, schema);
  await boss.start();
  const [job] = await boss.fetch("purge");
  await boss.fail("purge", job?.id ?? "none");
  await boss.stop();
  const { purge } = await countJobs(sql, schema);
  expect(purge).toMatchObject({ waiting: 1 });
  expect(Math.round((purge?.oldestSeconds ?? 0) / 60)).toBe(1);
});

test("migrate runs pg-boss's own deferred statements immediately, and refuses any other deferred statement", async () => {
  const owner = database.connect(database.url, { name: "jobs test", connections: 1 });
  onTestFinished(async () => void (await owner`DELETE FROM worker_jobs.bam`));
  const index = () =>
    owner`SELECT FROM pg_indexes WHERE schemaname = 'worker_jobs' AND indexname = 'job_common_i17'`;
  await owner`DROP INDEX worker_jobs.job_common_i17`;
  await owner`UPDATE worker_jobs.version SET version = version - 1`;
  await install();
  expect(await index()).toHaveLength(1);
  expect(await owner`SELECT FROM worker_jobs.bam`).toEqual([]);
  await owner`
    INSERT INTO worker_jobs.bam (name, version, status, table_name, command)
    VALUES ('x', 1, 'pending', 'job', 'CREATE TABLE public.taken ()')`;
  await expect(install()).rejects.toMatchObject({ code: "FOREIGN_STATEMENT" });
  expect(await owner`SELECT to_regclass('public.taken') AS taken`).toEqual([{ taken: null }]);
});

test("a queue role has privileges only in its own queue schema", async () => {
  const owner = database.connect(database.url, { name: "jobs test", connections: 1 });
  const rows = await owner<{ right: string }[]>`
    WITH tables AS (SELECT * FROM pg_class
      WHERE relnamespace::regnamespace::text IN ('worker_jobs', 'back_office_jobs', 'public') AND relkind IN ('r', 'p', 'v', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')),
    acls AS (
      SELECT oid::regclass::text AS object, '' AS columns, acl.* FROM tables, aclexplode(relacl) AS acl WHERE grantee <> relowner
      UNION ALL SELECT tables.oid::regclass::text, attname, acl.* FROM tables JOIN pg_attribute ON attrelid = tables.oid,
        aclexplode(attacl) AS acl
      UNION ALL SELECT p.oid::regproc::text, '', acl.*
        FROM pg_proc p, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
        WHERE pronamespace::regnamespace::text IN ('worker_jobs', 'back_office_jobs') AND grantee <> proowner)
    SELECT concat_ws(' ', coalesce(rolname, 'PUBLIC'), privilege_type, object, nullif(string_agg(columns, ' ' ORDER BY columns), '')) AS right
    FROM acls LEFT JOIN pg_roles ON pg_roles.oid = grantee GROUP BY rolname, privilege_type, object ORDER BY 1`;
  const found = rows.map(({ right }) => right);
  const of = (role: string) =>
    `DELETE instance, DELETE job, DELETE job_common, DELETE job_dependency, EXECUTE add,
    EXECUTE job_now, INSERT job, INSERT job_common, SELECT instance, SELECT job, SELECT job_common,
    SELECT job_dependency, SELECT queue, SELECT version, UPDATE instance stopped_on, UPDATE job,
    UPDATE job_common, UPDATE queue active_count blocked_count deferred_count failed_count
    maintain_on monitor_claim_on monitor_on queued_count ready_count ready_history retained_count
    retained_on singletons_active total_count, UPDATE version flow_on monitor_backoff_on`
      .replace(/\s+/g, " ")
      .split(", ")
      .map((right) => `${role} ${right.replace(" ", ` ${role}_jobs.`)}`);
  expect(found).toEqual([...of("back_office"), ...of("worker")]);
});
