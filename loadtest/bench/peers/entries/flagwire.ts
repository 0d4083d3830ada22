import { describeCommit } from '../../../../dev/support/machine.ts';
import { addEnvironment, flipFlag, openTable } from '../../../machine/flagFlips.ts';
import { repeatedFlags } from '../../../machine/repeatedFlags.ts';
import { ready, SERVERS } from '../../../testbed/testbed.ts';
import { describeRuntime, ofrepRequests, type Peer } from '../peer.ts';

/** The user of all evaluations. */
export const USER = { name: 'x_qa', age: '30', country: 'us', isMember: 'true' };
const CHANGED = 'returns-true';
/** Prefix of the names of added environments. The testbed's environment has another name. */
const ADDED = 'peers-';

/** Our host on one of its runtimes. */
export function flagwire(entry: string, name: string, server: 'host' | 'host on Node'): Peer {
  return {
    ...{ entry, name, role: 'ours', build: 'from the sources, by this benchmark' },
    settings: [
      'The table is an emulated DynamoDB behind a cache, on the generator’s core.',
      'Clients use FeatBit’s WebSocket protocol. An idle client pings every 18 s.',
      'Evaluations are OFREP’s, with the client key.',
      'A change is timed from the start of its write to the table.',
    ],
    blank: {},
    start: async (testbed, flags) => {
      const process = testbed.startServer(server);
      const basic = await testbed.targetOf(server, await ready(process, server));
      const target = { ...basic, flags };
      if (flags !== 5) target.key = await addEnvironment(testbed.table, `${ADDED}${Date.now()}`, repeatedFlags(flags));
      const flag = flags === 5 ? 'two-custom-rules' : 'two-custom-rules-3';
      const requests = ofrepRequests(flag, { authorization: `Bearer ${target.key}` }, USER);
      const version = `commit ${describeCommit()}, ${describeRuntime(SERVERS[server].runtime)}`;
      const store = openTable(testbed.table);
      const environment = (await store.environments.list()).find(({ name }) => !name.startsWith(ADDED));
      const change = () => flipFlag(store, environment?.id ?? '', CHANGED);
      const stop = () => {
        store.close();
        return process.stop();
      };
      return { ...requests, version, pid: process.pid, stop, target, expected: flags, change };
    },
  };
}
