import { describeCommit } from '../../../../dev/support/machine.ts';
import type { Document } from '../../../../shared/flags/document.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { envIdOfSecret } from '../../../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { addEnvironment, flipFlag, openTable } from '../../../machine/flagFlips.ts';
import { ready, SERVERS } from '../../../testbed/testbed.ts';
import { describeRuntime, makeFlags, ofrepRequests, type Peer } from '../peer.ts';

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
      const key = await addEnvironment(testbed.table, `peers-${Date.now()}`, makeDocuments(flags));
      const requests = ofrepRequests({ authorization: `Bearer ${key}` });
      const version = `commit ${describeCommit()}, ${describeRuntime(SERVERS[server].runtime)}`;
      const store = openTable(testbed.table);
      const change = () => flipFlag(store, envIdOfSecret(key) ?? '', 'flag-0');
      const stop = () => {
        store.close();
        return process.stop();
      };
      const client = { kind: 'featbit' } as const;
      return { ...requests, version, pid: process.pid, stop, target: { ...basic, key, flags }, client, change };
    },
  };
}

function makeDocuments(count: number): Document[] {
  const flag = referenceDocuments().find(({ kind }) => kind === 'flag')?.document as Flag;
  const [yes, no] = flag.variations.map(({ id }) => id) as [string, string];
  return makeFlags(count, (key, percent) => {
    const share = percent / 100;
    const all = [
      { id: yes, rollout: [0, share] as const, exptRollout: 1 },
      { id: no, rollout: [share, 1] as const, exptRollout: 1 },
    ];
    const fallthrough = { ...flag.fallthrough, variations: all.slice(0, percent === 100 ? 1 : 2) };
    return { kind: 'flag', document: { ...flag, key, fallthrough } };
  });
}
