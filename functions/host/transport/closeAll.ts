import { setImmediate as turn } from 'node:timers/promises';
import { type Connection, REFUSAL } from './transport.ts';

/** Number of connections to close before yielding to other work. */
const SLICE = 200;

/** Closes connections with FeatBit's code for refusal. @param onClosed called for each */
export async function closeAll(transports: Iterable<Connection>, onClosed: () => void = () => {}): Promise<void> {
  let closed = 0;
  for (const transport of transports) {
    transport.close(...REFUSAL);
    onClosed();
    if (++closed % SLICE === 0) await turn();
  }
}
