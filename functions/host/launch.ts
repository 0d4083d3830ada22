import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { onStop } from '../../shared/command/stopOnSignals.ts';

/** `npm run host`: the host on Bun, or on Node if HOST_RUNTIME is `node` or Bun is not installed. */
const COMMANDS: Readonly<Record<string, () => [program: string, ...args: string[]]>> = {
  bun: () => {
    const program = createRequire(import.meta.url).resolve('bun/bin/bun.exe');
    // Without install scripts, it is a text, on which execve aborts.
    if (statSync(program).size < 1_000_000) throw new Error('Bun is not installed');
    return [program];
  },
  node: () => [process.execPath, '--initial-old-space-size=256', '--max-semi-space-size=8'],
};

const [program, ...flags] = chooseCommand(process.env['HOST_RUNTIME']);
const main = join(import.meta.dirname, `main${extname(import.meta.filename)}`);
const args = [...flags, main, ...process.argv.slice(2)];
// This process becomes the host. It then receives signals directly, and no parent stays in memory.
if (process.platform !== 'win32') process.execve?.(program, [program, ...args], process.env);
// Windows and Node before 22.15 do not support this.
const host = spawn(program, args, { stdio: 'inherit' });
host.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
onStop(() => host.kill());

function chooseCommand(runtime: string | undefined): [program: string, ...args: string[]] {
  const command = COMMANDS[runtime ?? 'bun'];
  if (!command) return refuse(`HOST_RUNTIME=${runtime} is invalid: set bun or node; the default is bun`);
  try {
    return command();
  } catch {
    if (runtime)
      return refuse('Bun is not installed: run npm install bun with install scripts, or set HOST_RUNTIME=node');
    console.error(
      'host: Bun is not installed, so this host runs on Node. To use Bun: npm install bun, with install scripts',
    );
    return chooseCommand('node');
  }
}

function refuse(message: string): never {
  console.error(`host: ${message}`);
  process.exit(1);
}
