import type { AskedReplicas, KnowingReport, PublishingReport } from "@partner-connect/signing-keys";
import type { Replica } from "./replica.ts";

const LIMIT_MS = 3000;

/** What the replicas say of their keys, all asked at once. One that can't be asked is among the silent ones. */
export async function askReplicas(replicas: readonly Replica[]): Promise<AskedReplicas> {
  const answers = await Promise.all(replicas.map(ask));
  return {
    authorizationServers: answers.flatMap((answer) => ("published" in answer ? [answer] : [])),
    resourceServers: answers.flatMap((answer) => ("known" in answer ? [answer] : [])),
    silent: answers.flatMap((answer) => ("problem" in answer ? [answer] : [])),
  };
}

type Answer = { readonly name: string } & (PublishingReport | KnowingReport | { readonly problem: string });

async function ask({ name, url }: Replica): Promise<Answer> {
  try {
    const response = await fetch(`${url}/keys`, { redirect: "error", signal: AbortSignal.timeout(LIMIT_MS) });
    if (!response.ok) return { name, problem: `/keys says ${response.status}; is it a replica of this release?` };
    const report = (await response.json()) as PublishingReport | KnowingReport;
    if ("published" in report ? Array.isArray(report.published) : Array.isArray(report.known))
      return { ...report, name };
    return { name, problem: "/keys says something else" };
  } catch (error) {
    return { name, problem: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  return name === "TimeoutError" ? `no answer within ${LIMIT_MS / 1000} s` : (cause?.code ?? cause?.message ?? message);
}
