import { Command } from 'commander';
import { useNamedRegion } from '../runtime/awsRegion.ts';
import { ownCommand } from '../runtime/ownCommand.ts';
import { ignoreBrokenPipe } from './brokenPipe.ts';
import { wrapText } from './wrapText.ts';

/**
 * A command from package.json's scripts. `--help` runs nothing else. An unknown argument ends the process with exit
 * code 2.
 *
 * @param script its name in package.json
 */
export function npmCommand(script: string, description: string): Command {
  ignoreBrokenPipe();
  useNamedRegion();
  return new Command(commandName(script))
    .description(description)
    .configureOutput({ writeOut: (help) => process.stdout.write(fitTerminal(help)) })
    .showHelpAfterError(`${ownCommand(script, '--help')} says how to use it.`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Wraps the lines of a text. Its second columns stay columns. Its commands stay whole, on lines of their own. */
export function fitTerminal(text: string, columns = process.stdout.columns): string {
  const width = columns || 80;
  const wrapLine = (line: string): string[] => {
    if (line.length <= width || /^ +(npm|npx|flagwire)/.test(line)) return [line];
    const [before = '', ...command] = line.split(/(?<= \S+:) (?=(?:npm|npx) )/);
    if (command.length > 0) return [...wrapLine(before), `  ${command.join(' ')}`];
    const [indent = ''] = /^ */.exec(line) ?? [];
    const [beginning = indent] = /^ *\S.*? {2,}/.exec(line) ?? [];
    const column = beginning.length <= width / 2 ? beginning : indent;
    const [first = '', ...others] = wrapText(line.slice(column.length), ' '.repeat(column.length), width);
    return [column + first.trimStart(), ...others];
  };
  return text.split('\n').flatMap(wrapLine).join('\n');
}

/** Writes a text to standard error, in lines that fit a terminal. */
export function writeError(text: string): void {
  console.error(process.stderr.isTTY ? fitTerminal(text, process.stderr.columns) : text);
}

/** What a command is called in its help, before its arguments: `npm run flags --`. */
export function commandName(script: string): string {
  return ownCommand(script, ' ').trimEnd();
}
