/** Matches a comment, a string, a quoted name, a dollar-quoted text, or a semicolon. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<!\w)\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/**
 * Splits a script into statements, each with the comments before it: Citus sends the other nodes
 * the whole text it received.
 */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let from = 0;
  for (const { 0: token, index } of script.matchAll(TOKEN)) {
    if (token !== ";") continue;
    statements.push(script.slice(from, index).trim());
    from = index + 1;
  }
  statements.push(script.slice(from).trim());
  return statements.filter(
    (statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "",
  );
}
