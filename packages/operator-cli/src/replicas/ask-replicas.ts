import type { AskedReplicas, KnowingReport, PublishingReport } from "@partner-connect/signing-keys";
import type { Replica } from "../run/stack.ts";
import { present, secondsAhead } from "../terminal/present.ts";

export type ReplicaAnswer = { readonly name: string } & (
  | { readonly status: number; readonly text: string; readonly secondsAhead: number }
  | { readonly problem: string }
);

const LIMIT_MS = 3000;
/** An HTTP date has whole seconds. */
const RESOLUTION_MS = 1000;

export async function askReplica({ name, url }: Replica, path: string): Promise<ReplicaAnswer> {
  const asked = present().getTime();
  try {
    const response = await fetch(url + path, { redirect: "error", signal: AbortSignal.timeout(LIMIT_MS) });
    const text = await response.text();
    const theirs = Date.parse(response.headers.get("date") ?? "");
    return {
      name,
      status: response.status,
      text,
      secondsAhead: secondsAhead(theirs, asked, present().getTime(), RESOLUTION_MS),
    };
  } catch (error) {
    const { name: kind, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    return {
      name,
      problem: kind === "TimeoutError" ? `no answer within ${LIMIT_MS / 1000} s` : (cause?.code ?? message),
    };
  }
}

/** What is wrong where an answer is missing or no 200. */
export function silence(answers: readonly ReplicaAnswer[]): string[] {
  return answers.flatMap((answer) =>
    "problem" in answer
      ? [`could not ask ${answer.name}: ${answer.problem}`]
      : answer.status === 200
        ? []
        : [`could not ask ${answer.name}: it says ${answer.status}`],
  );
}

/** The texts of those that answered with 200. */
export function told(answers: readonly ReplicaAnswer[]): { readonly name: string; readonly text: string }[] {
  return answers.flatMap((answer) => ("text" in answer && answer.status === 200 ? [answer] : []));
}

/** What the replicas say of their keys, all asked at once. One that can't be asked is among the silent ones. */
export async function askReplicas(replicas: readonly Replica[]): Promise<AskedReplicas> {
  const answers = await Promise.all(replicas.map(askKeys));
  return {
    authorizationServers: answers.flatMap((answer) => ("published" in answer ? [answer] : [])),
    resourceServers: answers.flatMap((answer) => ("known" in answer ? [answer] : [])),
    silent: answers.flatMap((answer) => ("problem" in answer ? [answer] : [])),
  };
}

type KeysAnswer = { readonly name: string } & (PublishingReport | KnowingReport | { readonly problem: string });

async function askKeys(replica: Replica): Promise<KeysAnswer> {
  const { name } = replica;
  const answer = await askReplica(replica, "/keys");
  if ("problem" in answer) return answer;
  if (answer.status !== 200) {
    return { name, problem: `/keys says ${answer.status}; is it a replica of this release?` };
  }
  const report = parsedReport(answer.text);
  const kids = report && ("published" in report ? report.published : report.known);
  return report && Array.isArray(kids) ? { ...report, name } : { name, problem: "/keys says something else" };
}

function parsedReport(text: string): PublishingReport | KnowingReport | null {
  try {
    const report = JSON.parse(text);
    return typeof report === "object" ? report : null;
  } catch {
    return null;
  }
}
