import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";
import { derivedRolePassword } from "../roles/role-password.ts";
import { freshDatabase } from "../testing.ts";
import { migrate } from "./migrate.ts";

const NAME = `test_${randomBytes(8).toString("hex")}`;
let cluster: Sql;
let url: string;

beforeAll(async () => {
  const admin = new URL(process.env["TEST_DATABASE_URL"] ?? "");
  cluster = connectDatabase(admin.href, { name: "test", connections: 1 });
  await cluster`CREATE DATABASE ${cluster(NAME)}`;
  admin.pathname = `/${NAME}`;
  url = admin.href;
});
afterAll(async () => {
  await cluster`DROP DATABASE ${cluster(NAME)} WITH (FORCE)`;
  await cluster.end();
});

test("of several that migrate at once one applies every migration, and the others find them done", async () => {
  const files = await readdir(new URL("../../migrations", import.meta.url));
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  expect(applied.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, files.length]);
  expect(await migrate(url)).toEqual([]);
});

test("databases of one cluster may be migrated at once, although their roles are the cluster's", async () => {
  const admin = process.env["TEST_DATABASE_URL"] ?? "";
  const { password } = new URL(admin);
  // The passwords that they have: other tests use them.
  const passwords = {
    authorizationServerPassword: derivedRolePassword(password, "authorization_server"),
    resourceServerPassword: derivedRolePassword(password, "resource_server"),
    notifierPassword: derivedRolePassword(password, "notifier"),
  };
  const databases = await Promise.all(Array.from({ length: 6 }, () => freshDatabase(admin)));
  for (let round = 0; round < 5; round++) {
    await Promise.all(databases.map((database) => migrate(database.url, passwords)));
  }
  await Promise.all(databases.map((database) => database.drop()));
});
