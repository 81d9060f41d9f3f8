import { Argument, type Command } from "commander";
import type { Context } from "../../run/context.ts";
import { candidates, FILES } from "./candidates.ts";

export function addCompletionCommands(program: Command, { terminal }: Context): void {
  program
    .command("completion")
    .description("Print the script that lets a shell complete commands and options on Tab")
    .addArgument(new Argument("<shell>", "the shell that sources it").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", HELP)
    .action((shell: keyof typeof SCRIPTS) => {
      terminal.stdout.write(`${SCRIPTS[shell]}\n`);
    });
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .action((words: readonly string[]) => {
      const found = candidates(program, words);
      const lines = found === FILES ? [`:${FILES}`] : found.map(({ value, description }) => `${value}\t${description}`);
      terminal.stdout.write(lines.map((line) => `${line}\n`).join(""));
    });
}

const HELP = `
The shell has to know 'partner-connect' as a command. For a clone, define it beside the completion:
  partner-connect() { node /path/to/the/clone/packages/operator-cli/src/main.ts "$@"; }

Examples:
  $ source <(partner-connect completion bash)                                          in ~/.bashrc
  $ source <(partner-connect completion zsh)                                           in ~/.zshrc, after compinit
  $ partner-connect completion fish > ~/.config/fish/completions/partner-connect.fish`;

/** What a shell sources. For each Tab it asks the hidden command `complete`: a line is value, tab, description, or `:files`. */
export const SCRIPTS = {
  // Also for bash 3.2, which macOS has: without compopt and mapfile.
  bash: `_partner_connect() {
  local current="\${COMP_WORDS[COMP_CWORD]}" value rest
  COMPREPLY=()
  while IFS=$'\\t' read -r value rest; do
    if [ "$value" = ":files" ]; then
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$current")
    elif [ -n "$value" ]; then
      COMPREPLY+=("$value")
    fi
  done < <(partner-connect complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _partner_connect partner-connect`,

  zsh: `#compdef partner-connect
_partner-connect() {
  local -a values
  local line
  for line in "\${(@f)$(partner-connect complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      _files
      return
    elif [[ -n $line ]]; then
      values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  _describe partner-connect values
}
compdef _partner-connect partner-connect`,

  fish: `function __partner_connect_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (partner-connect complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c partner-connect -f -a '(__partner_connect_complete)'`,
};
