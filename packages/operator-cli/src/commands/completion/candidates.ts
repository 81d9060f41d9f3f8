import type { Argument, Command, Option } from "commander";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Instead of candidates: the shell completes names of files. */
export const FILES = "files";

/** What the last of `words`, which may be empty or half a word, can become. `words` follow the program's name. */
export function candidates(program: Command, words: readonly string[]): readonly Candidate[] | typeof FILES {
  // bash makes words of its own of `=`.
  const typed = words.filter((word, at) => word !== "=" || at === words.length - 1);
  const current = typed.at(-1) ?? "";
  const { command, operands, open } = walk(program, typed.slice(0, -1));
  if (open) return valuesOf(open);
  if (current.startsWith("-")) return starting(current, optionsOf(command));
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }));
  if (commands.length > 0) return operands === 0 ? starting(current, commands) : [];
  const argument = command.registeredArguments[operands];
  return argument ? valuesOf(argument) : starting(current, optionsOf(command));

  function valuesOf(asked: Option | Argument): readonly Candidate[] | typeof FILES {
    const { argChoices = [] } = asked;
    if (argChoices.length > 0)
      return starting(
        current,
        argChoices.map((value) => ({ value, description: "" })),
      );
    return /file/.test("flags" in asked ? asked.flags : asked.name()) ? FILES : [];
  }
}

/** The command that the words lead to, how many operands it has got, and the option that still wants its value. */
function walk(program: Command, words: readonly string[]) {
  let command = program;
  let operands = 0;
  let open: Option | undefined;
  for (const word of words) {
    if (open) {
      open = undefined;
    } else if (word.startsWith("-") && word !== "-") {
      const option = optionFor(command, word);
      open = option && (option.required || option.optional) && !word.includes("=") ? option : undefined;
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next) command = next;
      else operands += 1;
    }
  }
  return { command, operands, open };
}

function optionFor(command: Command, word: string): Option | undefined {
  const flag = word.split("=")[0] ?? word;
  return (
    command.options.find((option) => option.long === flag || option.short === flag) ??
    (command.parent ? optionFor(command.parent, word) : undefined)
  );
}

function optionsOf(command: Command): Candidate[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map((option) => ({
    value: option.long ?? option.short ?? "",
    description: option.description,
  }));
}

function starting(current: string, all: readonly Candidate[]): Candidate[] {
  return all.filter(({ value }) => value.startsWith(current));
}
