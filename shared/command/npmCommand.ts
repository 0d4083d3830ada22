import { Command } from 'commander';
import { ignoreBrokenPipe } from './brokenPipe.ts';

/**
 * A command of package.json's scripts. `--help` starts nothing; what it does not know ends the process with exit code 2.
 *
 * @param script what follows `npm run`
 */
export function npmCommand(script: string, description: string): Command {
  ignoreBrokenPipe();
  return new Command(`npm run ${script} --`)
    .description(description)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}
