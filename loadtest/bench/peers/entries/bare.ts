import { ready, SERVERS } from '../../../testbed/testbed.ts';
import { sendBare } from '../../host/push.ts';
import { describeRuntime, ofrepRequests, type Peer } from '../peer.ts';

const NO_PUSH = 'This reference sends no changes.';

/** A server without flags, which sends constant responses. */
export function bare(entry: string, server: 'bare Bun' | 'bare ws', build: string): Peer {
  const hasPush = server === 'bare Bun';
  return {
    ...{ entry, name: server, role: 'reference', build },
    settings: [
      'It has no flags: messages and requests are answered with constants of the usual size.',
      'A change is sent on request: nothing is written, read or evaluated.',
    ],
    blank: hasPush ? {} : { changeMedianMs: NO_PUSH, changeSlowestMs: NO_PUSH, changeBytes: NO_PUSH },
    start: async (testbed, flags) => {
      const process = testbed.startServer(server, { FLAGS: String(flags) });
      const target = await testbed.targetOf(server, await ready(process, server));
      return {
        ...ofrepRequests(),
        version: describeRuntime(SERVERS[server].runtime),
        ...{ pid: process.pid, stop: () => process.stop(), target, client: { kind: 'featbit' } },
        change: hasPush ? () => sendBare({ process }) : undefined,
      };
    },
  };
}
