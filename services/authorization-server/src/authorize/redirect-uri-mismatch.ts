/** What differs from the most similar registered URI, for a developer. It tells a stranger nothing that sending the right URI would not. */
export function explainMismatch(presented: string, registered: readonly string[]): string {
  if (!URL.canParse(presented)) return "it is not an absolute URL";
  const differences = registered
    .filter((uri) => URL.canParse(uri))
    .map((uri) => compare(new URL(presented), new URL(uri)));
  const fewest = differences.toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (presented.includes("#")) return "it has a fragment";
  return fewest.length > 0 ? fewest.join("; ") : "it is spelled differently (case, encoding or a default port)";
}

function compare(presented: URL, registered: URL): string[] {
  const differences: string[] = [];
  if (presented.protocol !== registered.protocol) {
    differences.push(`the scheme is ${presented.protocol.slice(0, -1)}, not ${registered.protocol.slice(0, -1)}`);
  }
  if (presented.username !== "" || presented.password !== "") differences.push("it has a user name or password");
  if (presented.hostname !== registered.hostname) differences.push(`host ${presented.hostname} is not registered`);
  if (presented.port !== registered.port) {
    differences.push(presented.port === "" ? "the port is missing" : `port ${presented.port} is not registered`);
  }
  if (presented.pathname !== registered.pathname) {
    const slash = presented.pathname === `${registered.pathname}/`;
    differences.push(slash ? 'the path ends in "/"' : `path ${presented.pathname} is not registered`);
  }
  if (presented.search !== registered.search) differences.push("the query differs");
  return differences;
}
