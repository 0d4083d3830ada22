import type { Command, Help } from 'commander';
import { terminalWidth } from '../shared/command/textTable.ts';
import { didYouMean } from '../shared/flags/nearest.ts';
import { ownCommand } from '../shared/runtime/ownCommand.ts';
import { EXAMPLES } from './examples.ts';
import { type Io, UsageError } from './io.ts';

/** Characters of a line if the width of the terminal is unknown. */
const WIDTH = 80;

/** The commands that the first screen describes. The others are named there. */
const COMMON = ['list', 'show', 'create', 'on', 'off', 'rule add', 'rollout', 'history', 'undo', 'evaluate'];

/** What the commands of a group have in common, by the first word of its heading. */
const NOTES: Readonly<Record<string, () => string>> = {
  environments: () =>
    `Commands use the table of ${ownCommand('start')}, or the table in FLAGS_TABLE with the variables of AWS (AWS_REGION, AWS_PROFILE). ` +
    'They use the environment from --env, else from FLAGWIRE_ENV, else the choice of "env use" for this folder, else that ' +
    `of the keys of ${ownCommand('start')}, else the only one.\n\n` +
    'Before a change to a production environment, they ask for its name. --yes skips the question. It is required without a terminal.',
};

/** `help [words...]`, the first screen, and the examples of each command. Call it after all commands are added. */
export function addHelp(program: Command, io: Io): void {
  program
    .helpCommand(false)
    .command('help [words...]', { hidden: true })
    .description('show the help of a group or a command')
    .action((words: readonly string[]) => {
      const group = words.length === 1 && groupsOf(program).find(({ id }) => id === words[0]);
      if (group) io.out(groupHelp(group, helpFor(program)));
      else findCommand(program, words).outputHelp();
    });
  for (const command of leavesOf(program)) command.addHelpText('after', () => examplesOf(pathOf(command)));
  // Commands have copied the settings of the program before.
  program.configureHelp({ ...HELP_SETTINGS, formatHelp: (_, help) => overview(program, help) });
}

/** Wraps descriptions next to the longest terms too, so that no terminal breaks a word. */
export const HELP_SETTINGS = { minWidthToWrap: 20 };

function helpFor(program: Command): Help {
  const help = program.createHelp();
  help.prepareContext({ helpWidth: terminalWidth() ?? WIDTH });
  return help;
}

interface Group {
  readonly id: string;
  readonly heading: string;
  readonly commands: readonly Command[];
}

function groupsOf({ commands }: Command): Group[] {
  const groups = Map.groupBy(commands, (command) => command.helpGroup());
  return [...groups].flatMap(([heading, members]) => {
    const id = heading.split(/[\s:]/, 1)[0]?.toLowerCase() ?? '';
    const shown = members.filter((command) => !isHidden(command));
    return shown.length > 0 ? [{ id, heading, commands: shown }] : [];
  });
}

/** @throws {UsageError} if there is no such command */
function findCommand(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((each) => each.name() === word);
    if (found) return found;
    const names = [...command.commands.map((each) => each.name()), ...groupsOf(program).map(({ id }) => id)];
    throw new UsageError(`there is no command or group "${word}"${didYouMean(word, names)}`);
  }, program);
}

/** The first screen: the groups with their common commands. */
function overview(program: Command, help: Help): string {
  const groups = groupsOf(program);
  const terms = new Map(leavesOf(program).map((command) => [pathOf(command), command]));
  const common = COMMON.flatMap((path) => terms.get(path) ?? []);
  const width = Math.max(...common.map((command) => termOf(command).length));
  const wrap = (text: string) => help.boxWrap(text, help.helpWidth ?? WIDTH);
  const lines = groups.flatMap(({ heading, commands }) => {
    const shown = common.filter((command) => commands.some((each) => each === command || each === command.parent));
    const others = commands.filter((each) => !shown.includes(each)).map((each) => each.name());
    return [
      heading,
      ...shown.map((each) => help.formatItem(termOf(each), width, summaryOf(each), help)),
      indented(`also: ${others.join(', ')}`, help, 4),
    ];
  });
  return [
    `Usage: ${program.name()} <command> [options]`,
    '',
    ...lines,
    '',
    'Examples:',
    ...['toggle new-checkout', "off new-checkout --reason 'incident 17'", 'evaluate new-checkout --user u1'].flatMap(
      (example) => exampleLines(example, help.helpWidth),
    ),
    '',
    `Options and examples of a command: ${ownCommand('flags', 'help rule add')}`,
    `Commands of a group: ${ownCommand('flags', 'help targeting')}`,
    wrap(`Groups: ${groups.map(({ id }) => id).join(', ')}`),
    '',
    wrap(`Commands use the table of ${ownCommand('start')}, or FLAGS_TABLE=<table> AWS_REGION=<region>.`),
    ...(globalThis.IN_PACKAGE || globalThis.HAS_FLAGS_COMMAND
      ? []
      : ['For a pipe: npm run --silent flags -- list --json']),
    wrap('Exit codes: 0 done, 1 refused or failed, 2 wrong command line. DEBUG=1 prints stack traces.\n'),
  ].join('\n');
}

function groupHelp({ id, heading, commands }: Group, help: Help): string {
  const width = Math.max(...commands.map((command) => termOf(command).length));
  const items = commands.map((command) => {
    const below = command.commands.map((child) => child.name()).join(', ');
    const text = command.description() + (below && ` (${below})`);
    return help.formatItem(termOf(command), width, text, help);
  });
  const notes = NOTES[id]?.();
  return [heading, ...items, ...(notes === undefined ? [] : ['', help.boxWrap(notes, help.helpWidth ?? WIDTH)])].join(
    '\n',
  );
}

/** The examples of a command, in the form that the reader types. */
function examplesOf(path: string): string {
  const examples = EXAMPLES.filter((example) => example === path || example.startsWith(`${path} `));
  const lines = examples.flatMap((each) => exampleLines(each, terminalWidth()));
  return ['', 'Examples:', ...lines].join('\n');
}

/** A command line, which continues on the next line before an option if it is too long. */
function exampleLines(example: string, width = WIDTH): string[] {
  const lines: string[] = [];
  for (const part of ownCommand('flags', example).split(/ (?=--\w)/)) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(`  ${part}`);
    else if (line.length + part.length + 3 <= width) lines[lines.length - 1] = `${line} ${part}`;
    else lines.splice(-1, 1, `${line} \\`, `    ${part}`);
  }
  return lines;
}

function indented(text: string, help: Help, by: number): string {
  const space = ' '.repeat(by);
  return space + help.boxWrap(text, (help.helpWidth ?? WIDTH) - by).replaceAll('\n', `\n${space}`);
}

/** The description up to its first details. */
function summaryOf(command: Command): string {
  return command.description().split(/[.:,] /, 1)[0] ?? '';
}

/** A command with its arguments. */
function termOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? '...' : '');
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [pathOf(command), ...args].join(' ');
}

/** The words of a command after the program's name: `rule add`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** The commands that do something. */
export function leavesOf(command: Command): Command[] {
  const below = command.commands.filter((child) => !isHidden(child));
  return command.commands.length === 0 ? [command] : below.flatMap(leavesOf);
}

function isHidden(command: Command): boolean {
  return ['help', 'complete-names'].includes(command.name());
}
