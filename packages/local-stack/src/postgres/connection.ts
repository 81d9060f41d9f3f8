import { connectDatabase } from "@partner-connect/database";

/** Of the cluster's owner. */
export function postgresUrl(host: string, port: number, password: string): string {
  return `postgres://postgres:${password}@${host}:${port}/postgres`;
}

export async function postgresAnswers(url: string): Promise<boolean> {
  const sql = connectDatabase(url, { name: "local-stack", connections: 1 });
  try {
    await sql`SELECT 1`;
    return true;
  } finally {
    await sql.end({ timeout: 0 });
  }
}
