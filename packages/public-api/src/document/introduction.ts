/** What a reader of the document is told first. Markdown. */
export const INTRODUCTION = `Read the survey responses of merchants' shops, and add attribution sources to them.

A merchant calls for one shop with that shop's **API key**. A partner connects the shops of many merchants by **OAuth 2.0**:
the authorization code flow with PKCE, one shop for each authorization. An access token, like an API key, belongs to one shop;
so no call names a shop.

**What may change.** New endpoints, new optional parameters, new fields in answers, new values where a list of values says so,
and new error codes can come at any time: pass over what you don't know. Nothing that is described here is taken away or gets another meaning
without notice.

**Forms.** JSON is UTF-8. Times are RFC 3339 in UTC with milliseconds, such as \`2026-11-21T01:02:03.123Z\`. Amounts of money are
decimal strings, such as \`"12.50"\`. Ids are opaque.

**Errors.** Branch on the status and on \`error\`. A 5xx never means that your credentials or your request are wrong: wait
\`retry-after\` seconds and send the same again. Every answer has an \`x-request-id\`; name it when you ask us about one.
`;
