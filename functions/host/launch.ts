import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** `npm run host`: the host on Bun, or on Node if HOST_RUNTIME is `node`. */
const COMMANDS: Readonly<Record<string, () => [program: string, ...args: string[]]>> = {
  bun: () => [createRequire(import.meta.url).resolve('bun/bin/bun.exe')],
  node: () => [process.execPath, '--initial-old-space-size=256', '--max-semi-space-size=8'],
};

const { HOST_RUNTIME: runtime = 'bun' } = process.env;
const command = COMMANDS[runtime];
if (!command) {
  console.error(`host: HOST_RUNTIME=${runtime} is invalid: set bun or node; the default is bun`);
  process.exit(1);
}
const [program, ...flags] = command();
const args = [...flags, join(import.meta.dirname, 'main.ts'), ...process.argv.slice(2)];
// This process becomes the host. It then receives signals directly, and no parent stays in memory. Windows does not
// support this.
if (process.platform === 'win32') process.exit(spawnSync(program, args, { stdio: 'inherit' }).status ?? 1);
process.execve?.(program, [program, ...args], process.env);
