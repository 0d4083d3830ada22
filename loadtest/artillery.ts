import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { installManifest } from '../dev/support/installed.ts';
import { userPath } from '../shared/command/userPath.ts';
import { artilleryCommand, QUIET } from './runner/artillery.ts';

/** `npm run artillery`: the pinned artillery on the pinned Node, in the folder in which the user typed the command. */
try {
  await installManifest('loadtest/artillery', console.error);
  const [program, args] = artilleryCommand(process.argv.slice(2));
  const child = spawn(program, args, { stdio: 'inherit', cwd: userPath('.'), env: { ...QUIET, ...process.env } });
  // A terminal sends Ctrl-C to artillery as well, which ignores the second signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
} catch (error) {
  console.error(`artillery: ${(error as Error).message}`);
  process.exitCode = 1;
}
