import { setImmediate as turn } from 'node:timers/promises';
import { type Connection, REFUSAL } from './transport.ts';

/** Connections that are closed before other work gets its turn. */
const SLICE = 200;

/** Closes connections as FeatBit's server refuses them. @param onClosed called for each */
export async function closeAll(transports: Iterable<Connection>, onClosed: () => void = () => {}): Promise<void> {
  let closed = 0;
  for (const transport of transports) {
    transport.close(...REFUSAL);
    onClosed();
    if (++closed % SLICE === 0) await turn();
  }
}
