// Made by `pnpm openapi` from packages/contract/openapi.json: change the schemas of the routes, not this file.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description One customer's answer to one question, with details of the order and the visit. All fields are present; most may be null. */
        readonly SurveyResponse: {
            /**
             * @description The response's id, which never changes. Opaque, 1 to 64 characters; ids that we generate sort by creation time. It is the value of `starting_after` and `ending_before`.
             * @example res_018d1e37a8e07a11b2c93c5d7e9f0a1b
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description When the response was stored here.
             * @example 2024-01-18T19:27:05.104Z
             */
            readonly inserted_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: a recategorization gives `response` another value. Never before `inserted_at`, and equal to it at first.
             * @example 2024-01-18T19:27:05.104Z
             */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description When the customer answered, by the source's clock. Usually a moment before `inserted_at`.
             * @example 2024-01-18T19:27:03.870Z
             */
            readonly response_provided_at: string | null;
            /**
             * @description The `id` of the question that was answered.
             * @example 1002
             */
            readonly question_id: number | null;
            /**
             * @description The question as the customer read it, unaffected by later edits.
             * @example Which podcast?
             */
            readonly question: string | null;
            /**
             * @description The question's `type` when it was answered: `single_response`, `multi_response` or `open_ended`. New values may be added.
             * @example single_response
             */
            readonly question_type: string | null;
            /**
             * @description The current value of the answer: the text of the chosen option, `Other`, or the category that the merchant has since assigned. Null if the customer only wrote their own words and they have no category. Group by this field.
             * @example Slow Mornings
             */
            readonly response: string | null;
            /**
             * @description The `id` of the option that the customer chose, among the question's `responses`. Null for own words. A recategorization does not change it.
             * @example 2102
             */
            readonly response_id: number | null;
            /**
             * @description The position of the chosen option in the list that this customer saw, counted from 1. Null for own words. Options may be shown in random order.
             * @example 2
             */
            readonly response_position: number | null;
            /**
             * @description Whether the customer chose 'Other' to write their own words.
             * @example false
             */
            readonly other: boolean | null;
            /**
             * @description The customer's own words, unchanged. Null if an option was chosen. May contain personal data.
             * @example My sister wouldn't stop talking about it
             */
            readonly other_response: string | null;
            /**
             * @description The `response` before the first recategorization, or the customer's own words if it was null. Null if never recategorized.
             * @example Other
             */
            readonly original_response: string | null;
            /**
             * @description Whether the question was a follow-up to an option of another question, which the `referring_…` fields then name. A source that knows the follow-up's text may give that text in place of `true`. Null where the source doesn't say.
             * @example true
             */
            readonly clarification_question: boolean | string | null;
            /**
             * @description For a follow-up: the question that led to it, as the customer read it.
             * @example How did you hear about us?
             */
            readonly referring_question: string | null;
            /**
             * @description For a follow-up: the `id` of that question.
             * @example 1001
             */
            readonly referring_question_id: number | null;
            /**
             * @description For a follow-up: the option of that question that led to it.
             * @example Podcast
             */
            readonly referring_question_response: string | null;
            /**
             * @description For a follow-up: the `id` of that option.
             * @example 2005
             */
            readonly referring_question_response_id: number | null;
            /**
             * @description Milliseconds between showing the question and submitting the answer. Very small values are suspicious.
             * @example 8420
             */
            readonly submit_delta: number | null;
            /**
             * @description The customer's id in the shop's own system. Opaque.
             * @example 6012345678901
             */
            readonly customer_id: string | null;
            /**
             * @description The customer's number of orders, including this one: 1 means a first order.
             * @example 1
             */
            readonly customer_order_count: number | null;
            /**
             * @description The customer's email address. Personal data.
             * @example ada.2r8k1f@mail.example
             */
            readonly email: string | null;
            /**
             * @description The order's id in the shop's own system. Opaque.
             * @example 4000000017408
             */
            readonly order_id: string | null;
            /**
             * @description The order's number as the customer knows it.
             * @example 10018
             */
            readonly order_number: string | null;
            /**
             * @description The software that the shop runs on, such as `shopify`, in lower case.
             * @example shopify
             */
            readonly order_platform: string | null;
            /**
             * @description Where the order was placed, in the platform's own terms, such as `web` or `shop_app`.
             * @example web
             */
            readonly order_source: string | null;
            /**
             * @description The currency of `order_total`: an ISO 4217 code.
             * @example EUR
             */
            readonly order_currency_code: string | null;
            /**
             * @description What the customer paid, in units of `order_currency_code`. A decimal string, such as `12.50`.
             * @example 115.92
             */
            readonly order_total: string | null;
            /**
             * @description `order_total` in US dollars, at the source's exchange rate for the order's day. A decimal string.
             * @example 126.00
             */
            readonly order_total_usd: string | null;
            /**
             * @description The coupon code that was used. Null without one.
             * @example PODCAST15
             */
            readonly coupon_code: string | null;
            /**
             * @description The kind of discount, in the platform's own terms, such as `percentage` or `fixed_amount`.
             * @example percentage
             */
            readonly coupon_type: string | null;
            /**
             * @description The discount as an amount of money, also for a `percentage` coupon. A decimal string.
             * @example 12.60
             */
            readonly coupon_amount: string | null;
            /**
             * @description The path of the first page of this visit, with its query if the source recorded it.
             * @example /products/starter-kit
             */
            readonly landing_page_path: string | null;
            /**
             * @description The page or site that linked to the shop: the browser's `Referer`. Null when there was none.
             * @example https://slowmornings.example/
             */
            readonly referring_site: string | null;
            /**
             * @description `utm_campaign` of the link that led to the shop.
             * @example slow_mornings_ep_112
             */
            readonly utm_campaign: string | null;
            /**
             * @description `utm_content` of that link: which advertisement it was.
             * @example host_read
             */
            readonly utm_content: string | null;
            /**
             * @description `utm_medium` of that link, such as `paid_social`, `cpc` or `email`.
             * @example audio
             */
            readonly utm_medium: string | null;
            /**
             * @description `utm_source` of that link, such as `instagram`.
             * @example podcast
             */
            readonly utm_source: string | null;
            /**
             * @description `utm_term` of that link: the words that were searched for.
             * @example starter kit
             */
            readonly utm_term: string | null;
        };
        /** @description A question that customers see after an order, with its options. */
        readonly Question: {
            /**
             * @description The question's id, unique in its shop. It is the value of `starting_after` and `ending_before`, and `question_id` of responses.
             * @example 1001
             */
            readonly id: number;
            /**
             * @description The question as customers read it.
             * @example How did you hear about us?
             */
            readonly prompt: string;
            /**
             * @description Whether customers choose one option, choose several, or write their own words.
             * @example single_response
             */
            readonly type: "single_response" | "multi_response" | "open_ended" | (string & {}) | null;
            /**
             * @description The text on the button that sends the answer.
             * @example Submit
             */
            readonly submit_text: string | null;
            /**
             * @description Whether customers may choose 'Other' and write their own words.
             * @example true
             */
            readonly allow_other: boolean | null;
            /**
             * @description The placeholder of the text field for own words.
             * @example Tell us more
             */
            readonly other_placeholder: string | null;
            /**
             * @description Whether the options are shown in random order.
             * @example true
             */
            readonly randomize_responses: boolean | null;
            /**
             * @description Maximum number of options that a customer may choose.
             * @example 1
             */
            readonly max_responses: number | null;
            /**
             * @description Which customers see the question: all, those with their first order, or returning ones.
             * @example new
             */
            readonly customer_type: "everyone" | "new" | "returning" | (string & {}) | null;
            /**
             * @description Whether a customer sees the question after every order, or once.
             * @example once
             */
            readonly frequency_type: "always" | "once" | (string & {}) | null;
            /**
             * Format: date-time
             * @description When the question was published. Null while it is not published.
             * @example 2024-01-02T00:00:00.000Z
             */
            readonly published_at: string | null;
            /**
             * Format: date-time
             * @description When the question was stored here.
             * @example 2024-01-02T00:00:00.000Z
             */
            readonly inserted_at: string;
            /**
             * Format: date-time
             * @description When the record last changed.
             * @example 2024-01-02T00:00:00.000Z
             */
            readonly updated_at: string;
            /**
             * @description The options, in the merchant's order. Empty for an `open_ended` question.
             * @example [
             *       {
             *         "id": 2004,
             *         "value": "Google search",
             *         "clarification_question": null
             *       },
             *       {
             *         "id": 2005,
             *         "value": "Podcast",
             *         "clarification_question": "Which podcast?"
             *       }
             *     ]
             */
            readonly responses: readonly {
                /**
                 * @description The option's id: `response_id` of responses.
                 * @example 2005
                 */
                readonly id: number | null;
                /**
                 * @description The option as customers read it: `response` of responses.
                 * @example Podcast
                 */
                readonly value: string;
                /**
                 * @description The follow-up question for this option: its text, or only whether there is one if the source doesn't give the text. Null if there is none, or the source doesn't say.
                 * @example Which podcast?
                 */
                readonly clarification_question: boolean | string | null;
            }[];
        };
        /** @description A deleted response. */
        readonly DeletedResponse: {
            /**
             * @description The id of the deleted response.
             * @example res_018cc5f11a7c7e90a3b4c5d6e7f80912
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it was deleted: later than every `updated_at` and `deleted_at` that was visible before.
             * @example 2024-03-05T14:30:00.000Z
             */
            readonly deleted_at: string;
        };
        /** @description An attribution source as you describe it. Texts are trimmed; unknown fields are ignored, and named in `x-ignored-parameters`. */
        readonly NewSource: {
            /**
             * @description The source's name, as people know it.
             * @example Slow Mornings
             */
            readonly name: string;
            /**
             * @description The kind of source.
             * @example podcast
             * @enum {unknown}
             */
            readonly type: "podcast" | "youtube" | "influencer" | "tv" | "newsletter" | "event" | "other";
            /**
             * @description The partner's own id for the source, unique within the shop. Sending it again updates that source.
             * @example show-112
             */
            readonly external_id?: string | null;
            /**
             * Format: uri
             * @description The source's absolute http or https URL.
             * @example https://slowmornings.example/
             */
            readonly url?: string | null;
            /**
             * @description Other names that customers may use for it.
             * @example [
             *       "slow mornings pod"
             *     ]
             */
            readonly aliases?: readonly string[] | null;
        };
        /** @description An attribution source. */
        readonly Source: {
            /**
             * @description Opaque.
             * @example src_018d1f3ae0507a11b2c93c5d7e9f0a1b
             */
            readonly id: string;
            /**
             * @description The source's name, as people know it.
             * @example Slow Mornings
             */
            readonly name: string;
            /**
             * @description The kind of source. New values may be added.
             * @example podcast
             */
            readonly type: "podcast" | "youtube" | "influencer" | "tv" | "newsletter" | "event" | "other" | (string & {});
            /**
             * @description The partner's own id for the source, unique within the shop. Sending it again updates that source.
             * @example show-112
             */
            readonly external_id: string | null;
            /**
             * Format: uri
             * @description The source's absolute http or https URL.
             * @example https://slowmornings.example/
             */
            readonly url: string | null;
            /**
             * @description Other names that customers may use for it.
             * @example [
             *       "slow mornings pod"
             *     ]
             */
            readonly aliases: readonly string[];
            /**
             * Format: date-time
             * @description When the source was created.
             * @example 2024-01-19T00:10:00.000Z
             */
            readonly inserted_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2024-01-19T00:10:00.000Z
             */
            readonly updated_at: string;
        };
        /** @description The shop and scopes of a credential. */
        readonly Connection: {
            /**
             * @description The connection's id. Null for an API key.
             * @example con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01
             */
            readonly id: string | null;
            /** @description The shop whose data this credential reads. */
            readonly shop: {
                /**
                 * @description It never changes.
                 * @example shop_018c2a90f3b4756e9d21c0de5f6a7b89
                 */
                readonly id: string;
                /**
                 * @description As merchants see it; it may change.
                 * @example Harbour Coffee
                 */
                readonly name: string;
                /**
                 * @description The shop's domain, if it is known.
                 * @example harbour-coffee.example
                 */
                readonly domain: string | null;
                /**
                 * @description The shop's plan. New values may be added.
                 * @example advanced_attribution
                 */
                readonly plan: "standard" | "advanced_attribution" | (string & {});
            };
            /**
             * @description The client that is connected. Null for an API key.
             * @example client_5f0c1a2b3d4e5f6071829304
             */
            readonly client_id: string | null;
            /**
             * @description The scopes that this credential can use now, space-separated; may be empty. A refreshed access token may have more.
             * @example responses:read sources:write
             */
            readonly scope: string;
            /**
             * Format: date-time
             * @description When the shop was connected. Null for an API key.
             * @example 2024-01-18T19:12:44.310Z
             */
            readonly connected_at: string | null;
            /**
             * Format: date-time
             * @description Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null for an API key.
             * @example 2024-03-01T11:02:09.000Z
             */
            readonly last_used_at: string | null;
            /**
             * Format: date-time
             * @description The refresh token is valid at least until then; each refresh extends it. Null for an API key, and while the code of a new approval is not exchanged yet.
             * @example 2024-03-31T11:02:09.000Z
             */
            readonly expires_at: string | null;
        };
        /** @description One of your client's connections, present or past. */
        readonly PartnerConnection: {
            /**
             * @description The connection's id. It stays the same when the merchant connects the shop again.
             * @example con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01
             */
            readonly id: string;
            /** @description The shop whose data the connection reads. */
            readonly shop: {
                /**
                 * @description It never changes.
                 * @example shop_018c2a90f3b4756e9d21c0de5f6a7b89
                 */
                readonly id: string;
                /**
                 * @description As merchants see it; it may change. Null once the shop is erased.
                 * @example Harbour Coffee
                 */
                readonly name: string | null;
                /**
                 * @description The shop's domain, if it is known.
                 * @example harbour-coffee.example
                 */
                readonly domain: string | null;
            };
            /**
             * @description `connected`; `expired`: the refresh token was not used within its lifetime; `revoked`: the merchant, you or an operator ended it, or the shop was erased; `disabled`: on hold by an operator, who may lift the hold; `approved`: the merchant has approved again, but you have not exchanged the code yet. New values may be added.
             * @example connected
             */
            readonly status: "connected" | "approved" | "expired" | "disabled" | "revoked" | (string & {});
            /**
             * @description The scope that a refresh would return now, space-separated; may be empty. It does not mean that a refresh would succeed.
             * @example responses:read sources:write
             */
            readonly scope: string;
            /**
             * Format: date-time
             * @description When the shop was last connected. Null while `approved` after the previous connection ended, and once the shop is erased.
             * @example 2024-01-18T19:12:44.310Z
             */
            readonly connected_at: string | null;
            /**
             * Format: date-time
             * @description Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null when `connected_at` is.
             * @example 2024-03-01T11:02:09.000Z
             */
            readonly last_used_at: string | null;
            /**
             * Format: date-time
             * @description The refresh token is valid at least until then; each refresh extends it. Null if there is no refresh token: revoked, or approved and not exchanged.
             * @example 2024-03-31T11:02:09.000Z
             */
            readonly expires_at: string | null;
        };
        /** @description A connection has changes of one kind. The changed data itself is not included. */
        readonly Change: {
            /**
             * @description The connection that changed. Null for kind `webhook`.
             * @example con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01
             */
            readonly connection_id: string | null;
            /**
             * @description Its shop. Null for kind `webhook`.
             * @example shop_018c2a90f3b4756e9d21c0de5f6a7b89
             */
            readonly shop_id: string | null;
            /**
             * @description `responses`: read `GET /api/responses` of this shop from where you stopped; `deletions`: its deleted responses; `questions`: its questions; `connection`: it was connected, connected again, put on hold or ended. `webhook` concerns no connection: one of your endpoints was paused or resumed. New kinds may be added.
             * @example responses
             */
            readonly kind: "responses" | "deletions" | "questions" | "connection" | "webhook" | (string & {});
            /**
             * @description The connection's current status, as in the list of connections. For kind `webhook`: `paused` while any of your endpoints is paused, else `active`.
             * @example connected
             */
            readonly status: "connected" | "approved" | "expired" | "disabled" | "revoked" | "active" | "paused" | (string & {});
            /**
             * Format: date-time
             * @description When it changed.
             * @example 2024-03-05T14:30:00.000Z
             */
            readonly at: string;
        };
        /** @description A page of your client's changes. */
        readonly ChangesPage: {
            /** @description Changes after the cursor, oldest first; only the latest for each connection and kind. */
            readonly data: readonly components["schemas"]["Change"][];
            /**
             * @description The position after this page: pass it as `after`. Opaque; store it together with what you have to read.
             * @example MS40Mi4xZjBhM2I1YzdkOWUuMDAxMTIyMzM0NDU1NjY3Nw
             */
            readonly cursor: string;
            /**
             * @description Whether more changes follow this page.
             * @example false
             */
            readonly has_more: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type SurveyResponse = components['schemas']['SurveyResponse'];
export type Question = components['schemas']['Question'];
export type DeletedResponse = components['schemas']['DeletedResponse'];
export type NewSource = components['schemas']['NewSource'];
export type Source = components['schemas']['Source'];
export type Connection = components['schemas']['Connection'];
export type PartnerConnection = components['schemas']['PartnerConnection'];
export type Change = components['schemas']['Change'];
export type ChangesPage = components['schemas']['ChangesPage'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
