import { afterEach, expect, test } from '@jest/globals';
import { RunningProcess } from './runningProcess.ts';

const started: RunningProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.stop()));
});

function node(script: string, options: ConstructorParameters<typeof RunningProcess>[1] = {}): RunningProcess {
  const command = [process.execPath, '--input-type=module', '--eval', script] as const;
  const child = new RunningProcess(command, options);
  started.push(child);
  return child;
}

const ipc = `import { answerRequests } from ${JSON.stringify(new URL('./ipc.ts', import.meta.url).href)};`;

test('its log says where it listens, and a signal ends it', async () => {
  const child = node(`console.log('{"message":"listening","port":7}'); setInterval(() => {}, 1000)`);
  expect(await child.listening()).toEqual({ message: 'listening', port: 7 });
  expect(child.isRunning).toBe(true);
  expect(await child.stop('SIGTERM')).toBeNull();
  expect(child.isRunning).toBe(false);
});

test('it ends with its exit code and all of its output, of which the end is kept', async () => {
  const child = node(
    `process.stdout.write('x'.repeat(9 << 20), () => { console.error('last'); process.exitCode = 3 })`,
  );
  expect(await child.ended).toBe(3);
  expect(child.output).toMatch(/x{9}last\n$|last\nx{9}/);
  expect(child.output.length).toBeLessThanOrEqual(8 << 20);
});

test('one that ends before it is ready fails with its output, one that is too slow with the deadline', async () => {
  await expect(node(`console.error('no port'); process.exit(2)`).printed('ready')).rejects.toThrow(
    /ended with 2: no port/,
  );
  await expect(node('setInterval(() => {}, 1000)').ready(() => false, 50)).rejects.toThrow('not ready within 50 ms');
  const missing = new RunningProcess(['/no/such/program']);
  await expect(missing.printed('ready')).rejects.toThrow('ENOENT');
  await expect(missing.ended).rejects.toThrow('ENOENT');
});

test('requests are answered each for itself, in any order', async () => {
  const child = node(
    `${ipc} answerRequests({ wait: (ms) => new Promise((done) => setTimeout(done, ms, ms)), fail: () => { throw new Error('why') } })`,
    { hasIpc: true },
  );
  const ask = child.requests();
  expect(await Promise.all([ask('wait', 100), ask('wait', 1)])).toEqual([100, 1]);
  await expect(ask('fail', null)).rejects.toThrow('fail: why');
  await expect(Promise.all([ask('wait', 60_000), child.stop()])).rejects.toThrow('the process ended with null');
});
