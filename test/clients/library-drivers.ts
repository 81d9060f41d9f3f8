/**
 * Code that makes a program of the guide drivable by a test: it prints the link and takes the
 * callback's URL, or runs its own site; then it reads three responses, and again after a refresh
 * for each line of its input. It ends with the error's text.
 */
export const DRIVERS: Readonly<Record<string, string>> = {
  ts: `
const terminal = (await import("node:readline/promises")).createInterface(process.stdin, process.stdout);
async function read(tokens) {
  const token = tokens.access_token ?? tokens.accessToken;
  const answer = await fetch("{base_url}/api/responses?limit=3", { headers: { authorization: "Bearer " + token } });
  console.log("read", ...(await answer.json()).data.map(({ id }) => id));
}
const connected = async (tokens) => void drive(tokens);
async function drive(tokens) {
  try {
    await read(tokens);
    for (;;) {
      await terminal.question("Enter to refresh: ");
      await read(await refreshed(tokens.refresh_token ?? tokens.refreshToken));
    }
  } catch (error) {
    console.log((await import("node:util")).inspect(error, { depth: 9 }));
    process.exit();
  }
}
async function refreshed(refreshToken) {
  if (typeof refresh === "function") return await refresh(refreshToken);
  if (typeof strategy === "object") {
    return await new Promise((resolve, reject) => {
      strategy.refresh(refreshToken, (error, access_token) => (error ? reject(error) : resolve({ access_token })));
    });
  }
  const headers = { authorization: "Basic " + btoa(process.env.CLIENT_ID + ":" + process.env.CLIENT_SECRET) };
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  const answer = await (await fetch("{base_url}/oauth/api/token", { method: "POST", headers, body })).json();
  return answer.error ? Promise.reject(answer) : answer;
}
if (typeof link !== "undefined") {
  await drive(await connect(await terminal.question("Open " + link + "\\nThen paste the address: ")));
}
`,
  python: `

def read():
    data = session.get("{base_url}/api/responses", params={"limit": 3}).json()["data"]
    print("read", *(response["id"] for response in data), flush=True)


print("Open", link, flush=True)
tokens = connect(input("Then paste the address: "))
read()
try:
    while True:
        input("Enter to refresh: ")
        refresh(tokens["refresh_token"])
        read()
except Exception as error:
    print(error.error, error.description)
`,
  go: `package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"

	"golang.org/x/oauth2"
)

func read(token *oauth2.Token) {
	response, err := config.Client(context.Background(), token).Get("{base_url}/api/responses?limit=3")
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	var list struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		panic(err)
	}
	fmt.Print("read")
	for _, record := range list.Data {
		fmt.Print(" ", record.ID)
	}
	fmt.Println()
}

func main() {
	state, verifier := "made-by-the-test", "of-at-least-43-characters-as-RFC-7636-requires-it"
	fmt.Println("Open", link(state, verifier))
	terminal := bufio.NewScanner(os.Stdin)
	terminal.Scan()
	callback, _ := url.Parse(terminal.Text())
	first, err := connect(callback.Query(), state, verifier)
	for token := first; err == nil; token, err = refresh(first.RefreshToken) {
		read(token)
		fmt.Println("Enter to refresh: ")
		terminal.Scan()
	}
	fmt.Println(err)
}
`,
  ruby: `
def read(token)
  data = token.get("/api/responses", params: { limit: 3 }).parsed["data"]
  puts ["read", *data.map { |response| response["id"] }].join(" ")
end

$stdout.sync = true
puts "Open #{link}"
begin
  token = connect(gets.chomp)
  read(token)
  while gets
    token = refresh(token)
    read(token)
  end
rescue OAuth2::Error => error
  puts error.code, error.description
end
`,
  php: `
function read(array $tokens): void
{
    $records = array_slice(responses($tokens['access_token'])['data'], 0, 3);
    echo implode(' ', ['read', ...array_column($records, 'id')]), "\\n";
}

echo "Open $link\\n";
parse_str(parse_url(trim(fgets(STDIN)), PHP_URL_QUERY), $query);
try {
    read($tokens = connect($query, $state, $verifier));
    while (fgets(STDIN)) {
        read(refresh($tokens['refresh_token']));
    }
} catch (RuntimeException $error) {
    echo $error->getMessage();
}
`,
  java: `
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Scanner;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class Driver {
    static Stream<String> found(String name, String json) {
        return Pattern.compile("\\"" + name + "\\": *\\"([^\\"]*)").matcher(json).results().map(result -> result.group(1));
    }

    static void read(String tokens) throws Exception {
        String responses = PartnerConnect.responses(found("access_token", tokens).findFirst().get());
        System.out.println("read " + found("id", responses).limit(3).collect(Collectors.joining(" ")));
    }

    public static void main(String[] arguments) throws Exception {
        String state = PartnerConnect.random(), verifier = PartnerConnect.random();
        System.out.println("Open " + PartnerConnect.link(state, verifier));
        Scanner terminal = new Scanner(System.in);
        String callback = URI.create(terminal.nextLine()).getRawQuery();
        Map<String, String> query = Stream.of(callback.split("&")).map(each -> each.split("="))
            .collect(Collectors.toMap(each -> each[0], each -> URLDecoder.decode(each[1], StandardCharsets.UTF_8)));
        try {
            String tokens = PartnerConnect.connect(query, state, verifier);
            for (read(tokens); terminal.hasNextLine(); terminal.nextLine()) {
                read(PartnerConnect.refresh(found("refresh_token", tokens).findFirst().get()));
            }
        } catch (java.io.IOException error) {
            System.out.println(error.getMessage());
        }
    }
}
`,
};
