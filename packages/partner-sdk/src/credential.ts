/** What a shop's client calls the API with: an access token that is renewed, or an API key. */
export interface Credential {
  /** The value of the `Authorization` header. */
  authorization(signal?: AbortSignal): Promise<string>;
  /** The API refused this header with 401, or with 403 `forbidden`: the next one must be a new one. */
  refused?(authorization: string): void;
}

/** A shop's own key, which is sent as it is and never changes. */
export function apiKeyCredential(apiKey: string): Credential {
  return { authorization: async () => apiKey };
}
