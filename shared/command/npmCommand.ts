import { Command } from 'commander';
import { useNamedRegion } from '../runtime/awsRegion.ts';
import { ownCommand } from '../runtime/ownCommand.ts';
import { ignoreBrokenPipe } from './brokenPipe.ts';

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
    .showHelpAfterError(`${ownCommand(script, '--help')} says how to use it.`)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** What a command is called in its help, before its arguments: `npm run flags --`. */
export function commandName(script: string): string {
  return ownCommand(script, ' ').trimEnd();
}
