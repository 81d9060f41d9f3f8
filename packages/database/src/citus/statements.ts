/** A comment, a string, a name in quotes, a dollar-quoted text, or a semicolon. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<!\w)\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** The statements of a script, each with the comments before it: Citus sends its other nodes the whole text that it was sent. */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let from = 0;
  for (const { 0: token, index } of script.matchAll(TOKEN)) {
    if (token !== ";") continue;
    statements.push(script.slice(from, index).trim());
    from = index + 1;
  }
  statements.push(script.slice(from).trim());
  return statements.filter((statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "");
}
