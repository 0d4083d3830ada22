import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const module = JSON.stringify(new URL('stopOnSignals.ts', `file://${import.meta.dirname}/`));

/** What a process prints, and its exit code, that gets signals at these times, in milliseconds. */
function run(times: readonly number[]) {
  const script = `
    import { onStop } from ${module};
    let now = 0;
    performance.now = () => now;
    onStop(() => console.log('stop'));
    for (now of ${JSON.stringify(times)}) process.emit(now === 0 ? 'SIGINT' : 'SIGTERM');
    console.log('end');`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return [stdout, status];
}

test('stops once on a signal that npm repeats', () => {
  expect(run([0, 5])).toEqual(['stop\nend\n', 0]);
});

test('a second signal of the user exits at once', () => {
  expect(run([0, 600])).toEqual(['stop\n', 130]);
});
