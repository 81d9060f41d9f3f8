const MAKE_PKCE = [
  "const random = (bytes) => CryptoJS.lib.WordArray.random(bytes);",
  'const base64url = (words) => CryptoJS.enc.Base64.stringify(words).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");',
  "const verifier = base64url(random(32));",
  'pm.collectionVariables.set("code_verifier", verifier);',
  'pm.collectionVariables.set("code_challenge", base64url(CryptoJS.SHA256(verifier)));',
  'pm.collectionVariables.set("state", base64url(random(16)));',
];

/** The token requests keep what they were given for the requests after them. */
const KEEP_TOKENS = [
  "if (pm.response.code === 200) {",
  "  const { access_token, refresh_token } = pm.response.json();",
  '  pm.collectionVariables.set("access_token", access_token);',
  '  if (refresh_token) pm.collectionVariables.set("refresh_token", refresh_token);',
  "}",
];

const IS_ANSWERED = [
  'pm.test("is answered with " + EXPECTED.join(" or "), () => pm.expect(pm.response.code).to.be.oneOf(EXPECTED));',
  'pm.test("names its request id", () => pm.expect(pm.response.headers.has("x-request-id")).to.equal(true));',
];

const script = (listen: string, exec: readonly string[]) => ({ listen, script: { type: "text/javascript", exec } });

/** What Postman runs before and after a request. */
export function eventsOf(operationId: string): object[] {
  const expected = operationId === "authorize" ? "[200, 302]" : "[200, 201]";
  const tests = [`const EXPECTED = ${expected};`, ...IS_ANSWERED, ...(operationId === "token" ? KEEP_TOKENS : [])];
  return [...(operationId === "authorize" ? [script("prerequest", MAKE_PKCE)] : []), script("test", tests)];
}
