import type { Command } from 'commander';

/** The shells that are completed in. */
export const SHELLS = ['bash', 'zsh'] as const;

/**
 * A script that completes commands and options of a shell alias `flags`, made from the commands themselves.
 *
 * @param program with all its commands
 */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const candidates = candidatesBelow(program, '');
  const cases = [...candidates].map(([path, words]) => `    "${path}") candidates="${words.join(' ')}" ;;`);
  const known = [...candidates.keys()].filter((path) => path !== '').join(' ');
  return `# In the folder of Flagwire, from the startup file of the shell: source <(npm run --silent flags -- completion ${shell})
${shell === 'zsh' ? 'autoload -Uz bashcompinit && bashcompinit\n' : ''}alias flags='npm run --silent flags --'
_flagwire_flags() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word candidates=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ " ${known} " == *" \${path:+$path/}$word "* ]] && path="\${path:+$path/}$word"
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _flagwire_flags flags`;
}

/** What may follow each command, by its path: `segment/rule`. */
function candidatesBelow(command: Command, path: string): Map<string, string[]> {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const below = command.commands.flatMap((child) => [
    ...candidatesBelow(child, path === '' ? child.name() : `${path}/${child.name()}`),
  ]);
  return new Map([[path, [...command.commands.map((child) => child.name()), ...options]], ...below]);
}
