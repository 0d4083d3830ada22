import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describeCommit, describeMachine } from '../../../dev/support/machine.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { measureHostIdle } from './hostIdle.ts';

/** `npm run bench:idle`. */
const { out, warmUp, watch } = npmCommand(
  'bench:idle',
  'Processor time of a host with one connection to which nothing happens, once it is warm.',
)
  .option('--warm-up <seconds>', 'how long hosts run before they are watched', '180')
  .option('--watch <seconds>', 'how long they are watched', '120')
  .option('--out <file>', 'write the result there too, as JSON (default: none)')
  .parse()
  .opts<{ out?: string; warmUp: string; watch: string }>();
// Loaded when they are needed: --help and a wrong option answer at once.
const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
const { startLocal } = await import('../../../dev/emulator/emulator.ts');
const { seedBenchmark } = await import('../../../dev/local/seed.ts');
const span = { warmUpSeconds: Number(warmUp), watchSeconds: Number(watch) };
const data = mkdtempSync(join(tmpdir(), 'flagwire-idle-'));
const stack = await startLocal({ templates: synthesizeTemplates(), dataDir: data });
try {
  const { client } = await seedBenchmark(stack, data);
  const found = await measureHostIdle(stack, client, span);
  const { average, busyShare } = found.machineLoad;
  console.log(
    `the host, idle: ${found.idleMs.toFixed(1)} ms a second, and ${found.pollMs.toFixed(3)} ms for each look for changes`,
  );
  console.log(
    `the machine meanwhile: load average ${average.toFixed(1)}, ${busyShare === undefined ? 'unknown' : `${(busyShare * 100).toFixed(0)} %`} of its cores busy`,
  );
  if (out) {
    const result = { machine: describeMachine(), commit: describeCommit(), at: new Date().toISOString(), ...span };
    mkdirSync(dirname(resolve(out)), { recursive: true });
    writeFileSync(resolve(out), `${JSON.stringify({ ...result, ...found }, null, 2)}\n`);
  }
} finally {
  await stack.close();
  rmSync(data, { recursive: true });
}
