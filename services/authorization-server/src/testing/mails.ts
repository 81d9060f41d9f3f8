import type { MerchantFixture, TestMerchant } from "./merchant-fixture.ts";

/** Switches mail on in a fixture's environment. Queued mails are not sent. */
export const WITH_MAIL = {
  MAIL_FROM: "Partner Connect <post@connect.example>",
  MAIL_KEY: "a mail key of 32 characters.....",
};

/** The mails that wait to be sent to the merchant, the oldest first. */
export async function mailsTo({ replicas }: MerchantFixture, { id }: TestMerchant) {
  return [
    ...(await replicas.sql<{ kind: string; about: Record<string, unknown> }[]>`
      SELECT kind, about FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE merchant_id = ${id} ORDER BY created_on`),
  ];
}
