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

/** Wraps the lines of a help text. Its second columns stay columns, and its examples stay whole. */
export function fitTerminal(help: string): string {
  const width = process.stdout.columns ?? 80;
  const fit = (line: string) => {
    if (line.length <= width || /^ +(npm|npx|flagwire)/.test(line)) return [line];
    const [column = ''] = /^ *\S.*? {2,}/.exec(line) ?? /^ */.exec(line) ?? [];
    const [first = '', ...others] = wrapText(line.slice(column.length), ' '.repeat(column.length), width);
    return [column + first.trimStart(), ...others];
  };
  return help.split('\n').flatMap(fit).join('\n');
}

/** What a command is called in its help, before its arguments: `npm run flags --`. */
export function commandName(script: string): string {
  return ownCommand(script, ' ').trimEnd();
}
