export {
  addWebhook,
  type NewSecret,
  removeWebhook,
  requestTest,
  rotateWebhookSecret,
  setWebhookStatus,
  statusOfWebhooks,
} from "./change-webhooks.ts";
export { type DueWebhook, dueWebhook, recordDelivery, testWebhook } from "./due-webhooks.ts";
export { type Address, type Egress, publicAddresses } from "./endpoint-url.ts";
export { endpointSecret, parseWebhookKeys, signWebhook, type WebhookKeys } from "./secrets.ts";
export {
  countWebhooks,
  type Delivery,
  type Endpoint,
  findWebhook,
  listWebhooks,
  type SecretSource,
  type ShownEndpoint,
  shownWebhooks,
  WebhookError,
} from "./webhook.ts";
