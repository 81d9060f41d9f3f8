/** What can't be done with an endpoint as it was asked. The message is one line for an operator, and holds no secret. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code:
    | "INVALID_WEBHOOK_URL"
    | "WEBHOOK_ADDRESS"
    | "WEBHOOK_HOST_UNKNOWN"
    | "WEBHOOK_KEY"
    | "UNKNOWN_WEBHOOK"
    | "TOO_MANY_WEBHOOKS"
    | "CLIENT_DISABLED"
    | "WEBHOOK_ROTATION_UNDER_WAY";

  constructor(code: WebhookError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
