import { RunningProcess } from '../../../dev/support/runningProcess.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';
import { bundleEnvironment, HOT_BUNDLE_LIMIT_BYTES, withBundles } from './bundleFunctions.ts';

/** Fresh processes that load each bundle, of which the median counts. */
const ROUNDS = 11;

const { report } = begin(benchCommand('bundles'));
// Loaded when it is needed: --help answers without a CDK.
const { synthesizeTemplates } = await import('../../../infra/inProcess.ts');
await withBundles(synthesizeTemplates(), async (bundles) => {
  const rows: (string | number)[][] = [];
  const empty = await loadMs('data:text/javascript,export const handler = 0');
  for (const { entry, path, bytes } of bundles) {
    progress(`loading ${entry}`);
    const ms = await loadMs(path);
    rows.push([entry, Math.round(bytes / 1024), Math.round(ms), (ms / empty).toFixed(1)]);
  }
  const bounds = bundles
    .filter(({ isHot }) => isHot)
    .map(({ entry, bytes }) => ({ name: entry, measured: bytes, unit: 'bytes', atMost: HOT_BUNDLE_LIMIT_BYTES }));
  const notes = [`An empty module loads in ${empty.toFixed(0)} ms.`];
  report([{ title: 'Bundles', head: ['function', 'KB', 'load ms', 'load / empty'], rows, bounds, notes }]);
});

/** Time from the start of a process until the module's top level has run. */
async function loadMs(module: string): Promise<number> {
  const script = `await import(${JSON.stringify(module)}); console.log(performance.now()); process.exit()`;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const command = [process.execPath, '--input-type=module', '-e', script] as const;
    const child = new RunningProcess(command, { environment: bundleEnvironment(), stderr: 'inherit' });
    await child.ended;
    times.push(Number(child.output));
  }
  return median(times);
}
