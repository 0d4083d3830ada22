import { describeCommit } from '../../../../dev/support/machine.ts';
import type { Document } from '../../../../shared/flags/document.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { envIdOfSecret } from '../../../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { addEnvironment, flipFlag, openTable } from '../../../machine/flagFlips.ts';
import { readyPort, startServer } from '../../../machine/serverProcess.ts';
import { targetAt } from '../../../testbed/testbed.ts';
import { describeRuntime, makeFlags, ofrepRequests, type Peer } from '../peer.ts';

/** Our host. Its table is an emulated DynamoDB behind a cache, on the core of the load generator. */
export const flagwire: Peer = {
  entry: 'flagwire',
  name: 'Flagwire',
  role: 'ours',
  start: async ({ table }, flags) => {
    const process = startServer(table);
    const port = await readyPort(process);
    const key = await addEnvironment(table, `peers-${Date.now()}`, makeDocuments(flags));
    const requests = ofrepRequests({ authorization: `Bearer ${key}` });
    const version = `commit ${describeCommit()}, ${describeRuntime('bun')}`;
    const store = openTable(table);
    const change = () => flipFlag(store, envIdOfSecret(key) ?? '', 'flag-0');
    const stop = () => {
      store.close();
      return process.stop();
    };
    const client = { kind: 'featbit' } as const;
    const target = { ...(await targetAt(port, key)), flags };
    return { ...requests, version, pid: process.pid, stop, target, client, change };
  },
};

/** The benchmark's flags, in FeatBit's form. */
export function makeDocuments(count: number): Document[] {
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
