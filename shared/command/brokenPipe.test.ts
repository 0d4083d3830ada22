import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const module = JSON.stringify(new URL('brokenPipe.ts', `file://${import.meta.dirname}/`));

/** How a process ends that writes after its reader has closed. */
async function runWithoutReader(prepare: string): Promise<{ code: unknown; stderr: string }> {
  const script = `
    ${prepare}
    process.stdin.once('end', () => {
      process.stdout.write('one');
      setTimeout(() => { process.stdout.write('two'); process.exitCode = 7; }, 20);
    }).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, stderr };
}

test('a reader that has gone ends no command: it goes on to its own exit code', async () => {
  const prepare = `import { ignoreBrokenPipe } from ${module}; ignoreBrokenPipe(); ignoreBrokenPipe();`;
  expect(await runWithoutReader(prepare)).toEqual({ code: 7, stderr: '' });
});

test('dies of a broken pipe without it', async () => {
  expect((await runWithoutReader('')).stderr).toContain('EPIPE');
});
