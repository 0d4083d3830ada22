import { dirname } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { quoteWord } from '../shared/command/quoteWord.ts';
import { userPath } from '../shared/command/userPath.ts';
import type { Flag } from '../shared/flags/flag.ts';
import type { Segment } from '../shared/flags/segment.ts';
import { DATA_FOLDER } from '../shared/runtime/announcement.ts';
import { silentCommand } from '../shared/runtime/ownCommand.ts';
import type { CommandMaker, CommonOptions } from './command.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

/** The shells that completion works in. */
const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];

/** What names are completed of, by the arguments that take them. */
const KINDS: Readonly<Record<string, Kind>> = {
  flag: 'flags',
  flags: 'flags',
  segment: 'segments',
  environment: 'environments',
  environments: 'environments',
  other: 'environments',
  plan: 'plans',
  variation: 'variations',
  shares: 'variations',
};
type Kind = 'flags' | 'segments' | 'environments' | 'plans' | 'variations';

/** The most names that are offered. */
const NAMES_LIMIT = 1_000;
/** How long finding names may take, as somebody waits for it in the middle of a word. */
const DEADLINE_MS = 2_000;
/** Names without characters that a shell acts on, and without a dash that makes them an option. */
const PLAIN = /^[\w.][\w.-]*$/;
/** zsh replaces an alias before it completes, so that `flags` is a function. Without its own completion there is no `compdef`. */
const ZSH_SETUP = `whence compdef >/dev/null || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
`;

/** `completion`, and the hidden command by which its script finds names. */
export function addCompletionCommands(program: Command, commands: CommandMaker, io: Io): void {
  program
    .command('completion')
    .description(`write a script that completes words in a shell: source <(${silentCommand('completion bash')})`)
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => io.out(completionScript(program, shell)));

  program
    .command('complete-names', { hidden: true })
    .argument('<kind>')
    .argument('[begin]')
    .addOption(new Option('--env <environment>').env('FLAGWIRE_ENV'))
    .option('--flag <flag>')
    .option('--data <directory>', '', userPath, DATA_FOLDER)
    .action(async (kind: Kind, begin: string | undefined, options: CommonOptions & { flag?: string }) => {
      const deadline = setTimeout(() => process.exit(0), DEADLINE_MS);
      try {
        const names = await findNames(commands.open(options), kind, begin ?? '', options.flag);
        if (names.length > 0) io.out(names.slice(0, NAMES_LIMIT).join('\n'));
      } catch {
        // A message would be written into the line that is being typed.
      } finally {
        clearTimeout(deadline);
      }
    });
}

type Named = readonly { readonly name: string; readonly id: string }[];

/** The names of each kind, and the ids. @param flag the key of the flag whose variations are meant */
const NAMES: Readonly<Record<Kind, (session: Session, flag?: string) => Promise<Named>>> = {
  flags: async ({ documents }) => (await documents<Flag>('flag')).map(({ key }) => ({ name: key, id: key })),
  segments: ({ documents }) => documents<Segment>('segment'),
  plans: async ({ store, environment }) =>
    (await store.plans.list((await environment()).id)).map(({ id, documentId }) => ({ name: documentId, id })),
  variations: async ({ documents }, flag) =>
    (await documents<Flag>('flag')).flatMap(({ key, variations }) =>
      key === flag ? variations.map(({ id, name, value }) => ({ name: name || value, id })) : [],
    ),
  environments: ({ store }) => store.environments.list(),
};

/** Names of a kind that begin so. One that is not plain is named by its id, also if the id was begun. */
async function findNames(session: Session, kind: Kind, begin: string, flag?: string): Promise<string[]> {
  const named = await NAMES[kind](session, flag);
  const words = named.flatMap(({ name, id }) => (begin === '' && PLAIN.test(name) ? [name] : [name, id]));
  return [...new Set(words)].filter((word) => PLAIN.test(word) && word.startsWith(begin));
}

/**
 * A script that defines `flags` and completes it: commands, options and their choices from the commands themselves, and names by
 * `complete-names`.
 *
 * @param program with all its commands
 */
function completionScript(program: Command, shell: Shell): string {
  const all = commandsBelow(program, '');
  const known = all.flatMap(([path]) => (path === '' ? [] : path)).join(' ');
  const options = all.flatMap(([, command]) => command.options);
  const valued = new Set(options.flatMap(({ long, required }) => (required && long ? [long] : [])));
  const isValue = `-n "$before" && " ${[...valued].join(' ')} " == *" $before "*`;
  const clone = quoteWord(dirname(import.meta.dirname));
  const node = quoteWord(process.execPath);
  // In a clone, commands run in its folder.
  const names = globalThis.IN_PACKAGE
    ? `${node} ${quoteWord(process.argv[1] ?? '')} flags`
    : `cd ${clone} && ${node} cli/main.ts`;
  return `# In the folder of Flagwire, from the startup file of the shell: source <(${silentCommand(`completion ${shell}`)})
${shell === 'zsh' ? ZSH_SETUP : ''}flags() { FLAGWIRE_COMMAND=flags ${silentCommand('"$@"', ` --prefix ${clone}`)}; }
_flagwire_names() {
  (${names} complete-names "$@") 2>/dev/null
}
_flagwire_flags() {
  local current="\${COMP_WORDS[COMP_CWORD]}" known="" place=0 word before="" candidates="" kind="" environment="" data="" flag=""
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    [[ "$before" == --env ]] && environment="$word"
    [[ "$before" == --data ]] && data="$word"
    if [[ ${isValue} ]]; then before=""; continue; fi
    before="$word"
    [[ "$word" == -* ]] && continue
    if [[ " ${known} " == *" \${known:+$known/}$word "* ]]; then known="\${known:+$known/}$word"; else flag="\${flag:-$word}"; place=$((place + 1)); fi
  done
  if [[ ${isValue} ]]; then
    case "$known $before" in
${cases(all, optionCases)}
    esac
  else
    case "$known" in
${cases(all, wordCases)}
    esac
    case "$known:$place" in
${cases(all, argumentCases)}
    esac
  fi
  if [[ -n "$kind" && "$current" != -* ]]; then
    # Where names are expected, options are offered once a dash is typed.
    local names="$(_flagwire_names "$kind" "$current" \${environment:+--env "$environment"} \${data:+--data "$data"} \${flag:+--flag "$flag"})"
    candidates="\${names:-$candidates}"
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _flagwire_flags flags`;
}

/** A command by its path: `segment/rule`. */
type PathOfCommand = readonly [path: string, command: Command];

function commandsBelow(command: Command, path: string): PathOfCommand[] {
  const below = command.commands.filter((child) => child.name() !== 'complete-names');
  const pathOf = (child: Command) => (path === '' ? child.name() : `${path}/${child.name()}`);
  return [[path, command], ...below.flatMap((child) => commandsBelow(child, pathOf(child)))];
}

function cases(all: readonly PathOfCommand[], casesOf: (path: string, command: Command) => readonly string[]): string {
  return all.flatMap(([path, command]) => casesOf(path, command).map((line) => `      ${line} ;;`)).join('\n');
}

/** What may follow a command: further commands, and its options. */
function wordCases(path: string, { commands, options }: Command): string[] {
  const words = [...commands.map((child) => child.name()), ...options.flatMap(({ long }) => long ?? [])];
  return [`"${path}") candidates="${words.filter((word) => word !== 'complete-names').join(' ')}"`];
}

/** Which names an argument of a command takes, by its place. */
function argumentCases(path: string, command: Command): string[] {
  return command.registeredArguments.map((argument, place) => {
    const pattern = argument.variadic ? `"${path}:"*` : `"${path}:${place}"`;
    const words = argument.argChoices ? ` candidates="${argument.argChoices.join(' ')}"` : '';
    return `${pattern}) kind="${KINDS[argument.name()] ?? ''}"${words}`;
  });
}

/** What the value of an option may be: names, or one of its choices. */
function optionCases(path: string, { options }: Command): string[] {
  return options.flatMap((option) => {
    const kind = KINDS[/<(\w+)>/.exec(option.flags)?.[1] ?? ''];
    if (kind) return [`"${path} ${option.long}") kind="${kind}"`];
    return option.argChoices ? [`"${path} ${option.long}") candidates="${option.argChoices.join(' ')}"`] : [];
  });
}
