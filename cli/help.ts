import { type Command, Help, type Option } from 'commander';
import { terminalWidth } from '../shared/command/textTable.ts';
import { wrapCommand } from '../shared/command/wrapText.ts';
import { didYouMean } from '../shared/flags/nearest.ts';
import { ownCommand, silentCommand } from '../shared/runtime/ownCommand.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { type Io, UsageError } from './io.ts';

/** Characters of a line if the width of the terminal is unknown. */
const WIDTH = 80;

/** The commands that the first screen describes. The others are named there. */
const COMMON = ['list', 'show', 'create', 'on', 'off', 'rule add', 'rollout', 'history', 'undo', 'evaluate'];

/** Wraps descriptions next to the longest terms too, so that no terminal breaks a word. */
export const HELP_SETTINGS = {
  minWidthToWrap: 20,
  /** A repeatable option without a value has an empty list, which says nothing. */
  optionDescription: (option: Option) => new Help().optionDescription(option).replace(' (default: [])', ''),
};

/**
 * `help [words...]`, the first screen, the examples of each command, and its usage after a wrong command line. Call it after all commands are added. The examples use flags and
 * segments of the shop of `npm start`, and work in their order.
 */
export function addHelp(program: Command, io: Io): void {
  program
    .helpCommand(false)
    .command('help [words...]', { hidden: true })
    .description('show the help of a group or a command')
    .action((words: readonly string[]) => {
      const group = words.length === 1 && groupsOf(program).find(({ id }) => id === words[0]);
      if (group) io.out(groupHelp(group, program.createHelp()));
      else findCommand(program, words).outputHelp();
    });
  for (const command of leavesOf(program)) {
    const path = pathOf(command);
    const examples = EXAMPLES.filter((example) => example === path || example.startsWith(`${path} `));
    command.addHelpText('after', () => ['', 'Examples:', ...examples.flatMap(exampleLines)].join('\n'));
    const usage = ownCommand('flags', `${termOf(command)} [options]`);
    command.showHelpAfterError(`Usage: ${usage}\nOptions and examples: ${ownCommand('flags', `help ${path}`)}`);
  }
  // Commands have copied the settings of the program before.
  program.configureHelp({ ...HELP_SETTINGS, formatHelp: (_, help) => overview(program, help) });
}

interface Group {
  readonly id: string;
  readonly heading: string;
  readonly commands: readonly Command[];
}

/** The groups by the first word of their headings. */
function groupsOf({ commands }: Command): Group[] {
  const groups = Map.groupBy(commands.filter(isShown), (command) => command.helpGroup());
  return [...groups].map(([heading, members]) => {
    return { id: heading.split(/[\s:]/, 1)[0]?.toLowerCase() ?? '', heading, commands: members };
  });
}

/** @throws {UsageError} if there is no such command */
function findCommand(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((each) => each.name() === word);
    if (found) return found;
    const way = suggestion(command, word, groupsOf(program)) || `. All commands: ${ownCommand('flags', 'help')}`;
    throw new UsageError(`there is no command or group "${word}"${way}`);
  }, program);
}

/** The end of a message about an unknown command. It names none that begins with other letters: `diff` is similar to `off`. */
export function suggestion(command: Command, word: string, groups: readonly Pick<Group, 'id'>[] = []): string {
  const isMeant = (path: string) => (word === 'get' ? path === 'show' : path.endsWith(` ${word}`));
  const found = leavesOf(command).map(pathOf).filter(isMeant).join('" or "');
  const names = [...command.commands.map((each) => each.name()), ...groups.map(({ id }) => id)];
  const similar = names.filter((name) => name.startsWith(word.slice(0, 2)));
  return found ? `. Did you mean "${found}"?` : didYouMean(word, similar);
}

/** The first screen: the groups with their common commands. */
function overview(program: Command, help: Help): string {
  const groups = groupsOf(program);
  const leaves = leavesOf(program);
  const common = COMMON.flatMap((path) => leaves.find((command) => pathOf(command) === path) ?? []);
  const item = itemOf(common, help);
  const lines = groups.flatMap(({ heading, commands }) => {
    const shown = common.filter((command) => commands.some((each) => each === command || each === command.parent));
    const others = commands.filter((each) => !shown.includes(each)).map((each) => each.name());
    const summary = (command: Command) => command.description().split(/[.:,] /, 1)[0] ?? '';
    return [heading, ...shown.map((each) => item(termOf(each), summary(each))), item('also', others.join(', '))];
  });
  const examples = [
    'toggle new-checkout',
    "off new-checkout --reason 'incident 17'",
    'evaluate new-checkout --user u1',
  ];
  const all = [
    `Usage: ${program.name()} <command> [options]`,
    '',
    ...lines,
    '',
    'Examples:',
    ...examples.flatMap(exampleLines),
    '',
    `Options and examples of a command: ${ownCommand('flags', 'help rule add')}`,
    `Commands of a group: ${ownCommand('flags', 'help targeting')}`,
    `Groups: ${groups.map(({ id }) => id).join(', ')}`,
    '',
    `Commands use the table of ${ownCommand('start')}, or FLAGS_TABLE=<table> AWS_REGION=<region>.`,
    ...(globalThis.IN_PACKAGE || globalThis.HAS_FLAGS_COMMAND ? [] : [`For a pipe: ${silentCommand('list --json')}`]),
    'Exit codes: 0 done, 1 refused or failed, 2 wrong command line. DEBUG=1 prints stack traces.\n',
  ];
  return help.boxWrap(all.join('\n'), columns());
}

function groupHelp({ heading, commands }: Group, help: Help): string {
  help.prepareContext({ helpWidth: columns() });
  const item = itemOf(commands, help);
  const items = commands.map((command) => {
    const below = command.commands.map((child) => child.name()).join(', ');
    return item(termOf(command), command.description() + (below && ` (${below})`));
  });
  return help.boxWrap([heading, ...items].join('\n'), columns());
}

function exampleLines(example: string): string[] {
  return wrapCommand(ownCommand('flags', example), '  ', columns());
}

/** Formats a term and its text, next to the terms of these commands. */
function itemOf(commands: readonly Command[], help: Help): (term: string, text: string) => string {
  const width = Math.max(...commands.map((command) => termOf(command).length));
  return (term, text) => help.formatItem(term, width, text, help);
}

/** A command with its arguments. */
function termOf(command: Command): string {
  return `${pathOf(command)} ${command.usage().replaceAll(/\[(?:options|command)\] ?/g, '')}`.trimEnd();
}

/** The words of a command after the program's name: `rule add`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** The commands that do something. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.filter(isShown).flatMap(leavesOf);
}

function isShown(command: Command): boolean {
  return !['help', 'complete-names'].includes(command.name());
}

function columns(): number {
  return terminalWidth() ?? WIDTH;
}
