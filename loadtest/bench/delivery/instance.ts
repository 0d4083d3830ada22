import { performance } from 'node:perf_hooks';

/** A call of the function. */
export interface Call {
  readonly event: object;
  readonly timeoutMs: number;
}

/** How it went. */
export interface Called {
  readonly wallMs: number;
  /** Processor time of the process. */
  readonly cpuMs: number;
  /** Whether it wants to be called again. */
  readonly isFailed: boolean;
}

/* An instance of a function: loads its bundle, then makes the calls that its parent sends, one at a time. */
const [, , bundle = ''] = process.argv;
const write = process.stderr.write.bind(process.stderr);
// Its log is not what is measured.
process.stdout.write = (() => true) as typeof process.stdout.write;

try {
  const { handler } = await import(bundle);
  process.on('message', async ({ event, timeoutMs }: Call) => {
    const before = { at: performance.now(), cpu: process.cpuUsage() };
    const getRemainingTimeInMillis = () => timeoutMs - (performance.now() - before.at);
    const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis });
    const { user, system } = process.cpuUsage(before.cpu);
    process.send?.({
      wallMs: performance.now() - before.at,
      cpuMs: (user + system) / 1_000,
      isFailed: batchItemFailures.length > 0,
    } satisfies Called);
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
} catch (error) {
  write(`the bundle ${bundle} could not be loaded: ${error}\n`);
  process.exit(1);
}
