import { referenceSamples } from "@partner-connect/developer-docs/testing";

const TOKENS = "```bash\nACCESS_TOKEN=…\nREFRESH_TOKEN=…\n```\n\n";

/** Code that the samples need, with the operation before whose samples it stands. */
const FRAMES = [
  {
    before: "authorize",
    text: `\`\`\`ts
import { createServer } from "node:http";
import { MemoryStore, PartnerConnect } from "@partner-connect/partner-sdk";

const { CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;
const access = { baseUrl: "{base_url}", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
const partnerConnect = new PartnerConnect({ ...access, store: new MemoryStore() });
\`\`\`

\`\`\`python
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from partner_connect import PartnerConnect

access = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
partner_connect = PartnerConnect(base_url="{base_url}", **access)
\`\`\``,
  },
  {
    before: "token",
    text: `\`\`\`bash
QUERY="response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&scope=responses:read%20sources:write"
echo "$BASE/oauth/api/authorize?$QUERY&state=$STATE&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256"
\`\`\`

\`\`\`bash
CODE=…
\`\`\`

\`\`\`ts
const callbackUrl = await new Promise<string>((resolve) => {
  const server = createServer((request, response) => {
    response.setHeader("connection", "close").end();
    server.close();
    resolve(request.url ?? "");
  }).listen(3456);
});
\`\`\`

\`\`\`python
class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        global callback_url
        callback_url = self.path
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("localhost", 3456), Callback).handle_request()
\`\`\``,
  },
  {
    before: "refreshTokenBatch",
    text: `\`\`\`ts
const connectionId = connection.id;
\`\`\`

\`\`\`python
shop = partner_connect.shop(connection.refresh_token)
\`\`\``,
  },
];

/** The reference's samples in order, as one guide. `{path}` becomes one without credentials. */
export function referenceGuide(): string {
  return [...referenceSamples()]
    .map(([name, text]) => `${FRAMES.find(({ before }) => before === name)?.text ?? ""}\n\n${text}`)
    .join("\n\n")
    .replace("Refresh:\n\n", (refresh) => TOKENS + refresh)
    .replaceAll("{path}", "/oauth/api/jwks");
}
