import { startServer } from '../../../machine/serverProcess.ts';
import { targetAt } from '../../../testbed/testbed.ts';
import { sendBare } from '../changes.ts';
import { describeRuntime, ofrepRequests, type Peer } from '../peer.ts';

/** A server without flags, which sends constant responses. It shows the limits of the machine. */
export const bareBun: Peer = {
  entry: 'bare-bun',
  name: 'bare Bun',
  role: 'reference',
  start: async ({ table, clientKey }, flags) => {
    const process = startServer(table, { FLAGS: String(flags) }, 'loadtest/testbed/reference.ts');
    const target = await targetAt((await process.listening()).port, clientKey);
    return {
      ...ofrepRequests(),
      version: describeRuntime('bun'),
      pid: process.pid,
      stop: () => process.stop(),
      target,
      client: { kind: 'featbit' },
      change: () => sendBare(process),
    };
  },
};
