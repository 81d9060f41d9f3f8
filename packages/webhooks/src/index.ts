export { type Address, type Egress, publicAddresses } from "./egress/public-addresses.ts";
export { askForTest } from "./endpoints/ask-for-test.ts";
export {
  addWebhook,
  type NewSecret,
  removeWebhook,
  rotateWebhookSecret,
  setWebhookStatus,
} from "./endpoints/change-webhooks.ts";
export { statusOfWebhooks } from "./endpoints/note-status.ts";
export {
  countWebhooks,
  type Delivery,
  findWebhook,
  listWebhooks,
  type ShownWebhook,
  shownWebhooks,
  type Webhook,
} from "./endpoints/webhook.ts";
export { type ClaimedHint, claimHint, type DueEndpoint, dueEndpoints } from "./hints/due-hints.ts";
export { bodyOf } from "./hints/hint.ts";
export { recordDelivery } from "./hints/record-delivery.ts";
export { signHint } from "./signing/sign-hint.ts";
export { parseWebhookKeys, type WebhookKeys } from "./signing/webhook-keys.ts";
export { WebhookError } from "./webhook-error.ts";
