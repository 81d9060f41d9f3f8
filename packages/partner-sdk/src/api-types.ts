// Made by `pnpm openapi` from packages/contract/openapi.json: change the schemas of the routes, not this file.

export interface components {
    schemas: {
        /** One customer's answer to one question, with details of the order and the visit; of a question with several choices, one record for each choice. An order may have several records, each with the same order fields: count orders, and add `order_total`, once per `order_id`. All fields are present; most may be null. */
        readonly SurveyResponse: {
            /** The response's id, which never changes. Opaque, 1 to 64 characters; ids that we generate sort by creation time. It is the value of `starting_after` and `ending_before`. */
            readonly id: string;
            /** Insertion time: when the customer answered, as the survey product reports it, or else when the response was stored here. */
            readonly inserted_at: string;
            /** When the record last changed: a recategorization gives `response` another value. Never before `inserted_at`; later from the start if the response arrived late. */
            readonly updated_at: string;
            /** When the customer answered, by the source's clock. Usually a moment before `inserted_at`. */
            readonly response_provided_at: string | null;
            /** The `id` of the question that was answered. */
            readonly question_id: number | null;
            /** The question as the customer read it, unaffected by later edits. */
            readonly question: string | null;
            /** The question's `type` when it was answered: `single_response`, `multi_response` or `open_ended`. New values may be added. */
            readonly question_type: string | null;
            /** The current value of the answer: the text of the chosen option, `Other`, or the category that the merchant has since assigned. Null if the customer only wrote their own words and they have no category. Group by this field. */
            readonly response: string | null;
            /** The `id` of the option that the customer chose, among the question's `responses`. Null for own words. A recategorization does not change it. */
            readonly response_id: number | null;
            /** The position of the chosen option in the list that this customer saw, counted from 1. Null for own words. Options may be shown in random order. */
            readonly response_position: number | null;
            /** Whether the customer chose 'Other' to write their own words. */
            readonly other: boolean | null;
            /** The customer's own words, unchanged. Null if an option was chosen. May contain personal data. */
            readonly other_response: string | null;
            /** The `response` before the first recategorization, or the customer's own words if it was null. Null if never recategorized. */
            readonly original_response: string | null;
            /** Whether the question was a follow-up to an option of another question, which the `referring_…` fields then name. A source that knows the follow-up's text may give that text in place of `true`. Null where the source doesn't say. */
            readonly clarification_question: boolean | string | null;
            /** For a follow-up: the question that led to it, as the customer read it. */
            readonly referring_question: string | null;
            /** For a follow-up: the `id` of that question. */
            readonly referring_question_id: number | null;
            /** For a follow-up: the option of that question that led to it. */
            readonly referring_question_response: string | null;
            /** For a follow-up: the `id` of that option. */
            readonly referring_question_response_id: number | null;
            /** Milliseconds between showing the question and submitting the answer. Very small values are suspicious. */
            readonly submit_delta: number | null;
            /** The customer's id in the shop's own system. Opaque. */
            readonly customer_id: string | null;
            /** The customer's number of orders, including this one: 1 means a first order. */
            readonly customer_order_count: number | null;
            /** The customer's email address. Personal data. */
            readonly email: string | null;
            /** The order's id in the shop's own system. Opaque. */
            readonly order_id: string | null;
            /** The order's number as the customer knows it. */
            readonly order_number: string | null;
            /** The software that the shop runs on, such as `shopify`, in lower case. */
            readonly order_platform: string | null;
            /** Where the order was placed, in the platform's own terms, such as `web` or `shop_app`. */
            readonly order_source: string | null;
            /** The currency of `order_total`: an ISO 4217 code. */
            readonly order_currency_code: string | null;
            /** What the customer paid, in units of `order_currency_code`. A decimal string, such as `12.50`. */
            readonly order_total: string | null;
            /** `order_total` in US dollars, at the source's exchange rate for the order's day. A decimal string. */
            readonly order_total_usd: string | null;
            /** The coupon code that was used. Null without one. */
            readonly coupon_code: string | null;
            /** The kind of discount, in the platform's own terms, such as `percentage` or `fixed_amount`. */
            readonly coupon_type: string | null;
            /** The discount as an amount of money, also for a `percentage` coupon. A decimal string. */
            readonly coupon_amount: string | null;
            /** The path of the first page of this visit, with its query if the source recorded it. */
            readonly landing_page_path: string | null;
            /** The page or site that linked to the shop: the browser's `Referer`. Null when there was none. */
            readonly referring_site: string | null;
            /** `utm_campaign` of the link that led to the shop. */
            readonly utm_campaign: string | null;
            /** `utm_content` of that link: which advertisement it was. */
            readonly utm_content: string | null;
            /** `utm_medium` of that link, such as `paid_social`, `cpc` or `email`. */
            readonly utm_medium: string | null;
            /** `utm_source` of that link, such as `instagram`. */
            readonly utm_source: string | null;
            /** `utm_term` of that link: the words that were searched for. */
            readonly utm_term: string | null;
        };
        /** A question that customers see after an order, with its options. */
        readonly Question: {
            /** The question's id, unique in its shop. It is the value of `starting_after` and `ending_before`, and `question_id` of responses. */
            readonly id: number;
            /** The question as customers read it. */
            readonly prompt: string;
            /** Whether customers choose one option, choose several, or write their own words. */
            readonly type: "single_response" | "multi_response" | "open_ended" | (string & {}) | null;
            /** The text on the button that sends the answer. */
            readonly submit_text: string | null;
            /** Whether customers may choose 'Other' and write their own words. */
            readonly allow_other: boolean | null;
            /** The placeholder of the text field for own words. */
            readonly other_placeholder: string | null;
            /** Whether the options are shown in random order. */
            readonly randomize_responses: boolean | null;
            /** Maximum number of options that a customer may choose. */
            readonly max_responses: number | null;
            /** Which customers see the question: all, those with their first order, or returning ones. */
            readonly customer_type: "everyone" | "new" | "returning" | (string & {}) | null;
            /** Whether a customer sees the question after every order, or once. */
            readonly frequency_type: "always" | "once" | (string & {}) | null;
            /** When the question was published. Null while it is not published. */
            readonly published_at: string | null;
            /** When the question was created, as the survey product reports it, or else when it was stored here. */
            readonly inserted_at: string;
            /** When the record last changed. */
            readonly updated_at: string;
            /** The options, in the merchant's order. Empty for an `open_ended` question. */
            readonly responses: readonly {
                /** The option's id. A response that chose it has this id as `response_id`. */
                readonly id: number | null;
                /** The option as customers read it. A response that chose it has this text as `response`. */
                readonly value: string;
                /** The follow-up question for this option: its text, or only whether there is one if the source doesn't give the text. Null if there is none, or the source doesn't say. */
                readonly clarification_question: boolean | string | null;
            }[];
        };
        /** A deleted response. */
        readonly DeletedResponse: {
            /** The id of the deleted response. */
            readonly id: string;
            /** When it was deleted: later than every `updated_at` and `deleted_at` that was visible before. */
            readonly deleted_at: string;
        };
        /** An attribution source as you describe it. Texts are trimmed; unknown fields are ignored, and named in `x-ignored-parameters`. */
        readonly NewSource: {
            /** The source's name, as people know it. */
            readonly name: string;
            /** The kind of source. */
            readonly type: "podcast" | "youtube" | "influencer" | "tv" | "newsletter" | "event" | "other";
            /** Your own id for the source, unique among your own sources of the shop. Sending it again replaces that source, also what you leave out. */
            readonly external_id?: string | null;
            /** The source's absolute http or https URL. */
            readonly url?: string | null;
            /** Other names that customers may use for it. */
            readonly aliases?: readonly string[] | null;
        };
        /** An attribution source. */
        readonly Source: {
            /** Opaque. */
            readonly id: string;
            /** The source's name, as people know it. */
            readonly name: string;
            /** The kind of source. New values may be added. */
            readonly type: "podcast" | "youtube" | "influencer" | "tv" | "newsletter" | "event" | "other" | (string & {});
            /** Your own id for the source, unique among your own sources of the shop. Sending it again replaces that source, also what you leave out. */
            readonly external_id: string | null;
            /** The source's absolute http or https URL. */
            readonly url: string | null;
            /** Other names that customers may use for it. */
            readonly aliases: readonly string[];
            /** When the source was created. */
            readonly inserted_at: string;
            /** When it last changed. */
            readonly updated_at: string;
        };
        /** The shop and scopes of a credential. */
        readonly Connection: {
            /** The connection's id. Null for an API key. */
            readonly id: string | null;
            /** The shop whose data this credential reads. */
            readonly shop: {
                /** It never changes. */
                readonly id: string;
                /** As merchants see it; it may change. */
                readonly name: string;
                /** The shop's domain, if it is known. */
                readonly domain: string | null;
                /** The shop's plan. New values may be added. */
                readonly plan: "standard" | "advanced_attribution" | (string & {});
            };
            /** The client that is connected. Null for an API key. */
            readonly client_id: string | null;
            /** The scopes that this credential can use now, space-separated; may be empty. A refreshed access token may have more. */
            readonly scope: string;
            /** When the shop was connected. Null for an API key. */
            readonly connected_at: string | null;
            /** Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null for an API key. */
            readonly last_used_at: string | null;
            /** The refresh token is valid at least until then; each refresh extends it. Null for an API key, and while the code of a new approval is not exchanged yet. */
            readonly expires_at: string | null;
        };
        /** One of your client's connections, present or past. */
        readonly PartnerConnection: {
            /** The connection's id. It stays the same when the merchant connects the shop again. */
            readonly id: string;
            /** The shop whose data the connection reads. */
            readonly shop: {
                /** It never changes. */
                readonly id: string;
                /** As merchants see it; it may change. Null once the shop is erased. */
                readonly name: string | null;
                /** The shop's domain, if it is known. */
                readonly domain: string | null;
            };
            /** `connected`; `expired`: the refresh token was not used within its lifetime; `revoked`: the merchant, you or an operator ended it, or the shop was erased; `disabled`: on hold by an operator, who may lift the hold; `approved`: the merchant has approved again, but you have not exchanged the code yet. New values may be added. */
            readonly status: "connected" | "approved" | "expired" | "disabled" | "revoked" | (string & {});
            /** The scope that a refresh would return now, space-separated; may be empty. It does not mean that a refresh would succeed. */
            readonly scope: string;
            /** When the connection began, or began again after it was `revoked`. Another approval does not change it. Null while `approved` after the previous connection ended, and once the shop is erased. */
            readonly connected_at: string | null;
            /** Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null when `connected_at` is. */
            readonly last_used_at: string | null;
            /** The refresh token is valid at least until then; each refresh extends it. Null if there is no refresh token: revoked, or approved and not exchanged. */
            readonly expires_at: string | null;
        };
        /** A connection has changes of one kind. The changed data itself is not included. */
        readonly Change: {
            /** The connection that changed. Null for kind `webhook`. */
            readonly connection_id: string | null;
            /** Its shop. Null for kind `webhook`. */
            readonly shop_id: string | null;
            /** `responses`: read `GET /api/responses` of this shop from where you stopped; `deletions`: its deleted responses; `questions`: its questions; `connection`: it was connected, connected again, put on hold or ended. `webhook` concerns no connection: one of your endpoints was paused or resumed. New kinds may be added. */
            readonly kind: "responses" | "deletions" | "questions" | "connection" | "webhook" | (string & {});
            /** The connection's current status, as in the list of connections. For kind `webhook`: `paused` while any of your endpoints is paused, else `active`. */
            readonly status: "connected" | "approved" | "expired" | "disabled" | "revoked" | "active" | "paused" | (string & {});
            /** When it changed. */
            readonly at: string;
        };
        /** A page of your client's changes. */
        readonly ChangesPage: {
            /** Changes after the cursor, oldest first; only the latest for each connection and kind. */
            readonly data: readonly components["schemas"]["Change"][];
            /** The position after this page: pass it as `after`. Opaque; store it together with what you have to read. */
            readonly cursor: string;
            /** Whether more changes follow this page. */
            readonly has_more: boolean;
        };
    };
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
