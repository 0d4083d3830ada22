import { Command } from 'commander';
import { ignoreBrokenPipe } from './brokenPipe.ts';

/**
 * A command from package.json's scripts. `--help` runs nothing else. An unknown argument ends the process with exit
 * code 2.
 *
 * @param script the name after `npm run`
 */
export function npmCommand(script: string, description: string): Command {
  ignoreBrokenPipe();
  return new Command(`npm run ${script} --`)
    .description(description)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}
