import { expect, vi } from "vitest";
import type { StackUnderTest } from "../stack/stacks.ts";

interface Mail {
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

type Stack = Pick<StackUnderTest, "base_url">;

/** What the stack has mailed, the newest first. */
export async function takenMails(stack: Stack): Promise<readonly Mail[]> {
  return (await (await fetch(`${stack.base_url}/mail.json`)).json()) as Mail[];
}

/** The latest mail to this address whose text has a link to this page: the link. `timeout`: milliseconds in which it comes. */
export async function linkMailedTo(stack: Stack, to: string, path: string): Promise<string> {
  return await vi.waitFor(
    async () => {
      const mails = (await takenMails(stack)).filter((mail) => mail.to === to);
      const [link] = mails.flatMap(({ text }) => new RegExp(`https?://\\S+${path}\\?link=[\\w-]+`).exec(text) ?? []);
      return (
        link ?? expect.fail(`no mail to ${to} with ${path}: ${JSON.stringify(mails.map(({ subject }) => subject))}`)
      );
    },
    { timeout: 30_000, interval: 100 },
  );
}
