import { execFileSync } from 'node:child_process';
import { describeMachine } from '../../../dev/support/machine.ts';
import { figuresTable } from '../../../shared/command/figuresTable.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { bundleEnvironment, type FunctionBundle, HOT_BUNDLE_LIMIT_BYTES, withBundles } from './bundleFunctions.ts';

/** Fresh processes that load each bundle. */
const ROUNDS = 11;

npmCommand(
  'bench:bundles',
  `The size of every function's bundle, and how long a fresh process takes to load it: the median of ${ROUNDS}.`,
).parse();

await withBundles((bundles) => {
  const rows: string[][] = [];
  const empty = medianLoadMs('data:text/javascript,export const handler = 0');
  for (const bundle of bundles) {
    console.error(`loading ${bundle.entry} …`);
    const load = medianLoadMs(bundle.path);
    rows.push([bundle.entry, kilobytes(bundle.bytes), limitOf(bundle), load.toFixed(0), (load / empty).toFixed(1)]);
  }
  console.log(`${describeMachine().cpu}, Node ${process.version}; an empty module loads in ${empty.toFixed(0)} ms`);
  console.log(figuresTable(['function', 'KB', 'limit', 'load ms', 'load / empty'], rows));
});

function limitOf({ isHot, bytes }: FunctionBundle): string {
  if (!isHot) return '';
  return `${kilobytes(HOT_BUNDLE_LIMIT_BYTES)} ${bytes <= HOT_BUNDLE_LIMIT_BYTES ? 'kept' : 'EXCEEDED'}`;
}

/** Time from the start of the process until the module's top level has run, in milliseconds. */
function medianLoadMs(module: string): number {
  const script = `await import(${JSON.stringify(module)}); process.stdout.write(String(performance.now())); process.exit()`;
  const times = Array.from({ length: ROUNDS }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: bundleEnvironment() })),
  );
  return median(times);
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(0);
}
