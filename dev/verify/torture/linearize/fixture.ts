import type { Document } from '../../../../shared/flags/document.ts';
import { PUSH_MS } from '../../../support/sdkModel/sentState.ts';
import { WriteLog } from '../../../support/sdkModel/writeLog.ts';
import { Workspace } from '../../conformance/workspace.ts';
import { Random } from '../random.ts';
import type { Service, ServiceName } from '../service.ts';
import { FLAG_KEYS, KEY_IDS, markedFlag, SEGMENT_IDS, segmentOf } from './documents.ts';
import type { Report } from './faults.ts';
import { Reader, type ReaderBehavior } from './reader.ts';
import { createWriter, itemOf } from './writer.ts';

/** Options of a fixture. */
export interface FixtureOptions {
  readonly seed: number;
  readonly readers: number;
}

/** Clients that change flags. */
const WRITERS = 3;

/** The readers and writers of one environment, and the log of writes. */
export type Fixture = Awaited<ReturnType<typeof openFixture>>;

/**
 * Time in which a push on API Gateway may be for the previous user, or repeat an item (sdkModel/syncCheck.ts). A push that is under way
 * when a client asks again takes as long as any push. On a host neither happens.
 */
const GRACE_MS = { host: 0, gateway: PUSH_MS, balanced: 0 } as const;

/** Behavior of the readers of hosts. */
const HOST_BEHAVIORS: readonly ReaderBehavior[] = [
  { type: 'server', does: 'stay' },
  { type: 'client', does: 'switch' },
  { type: 'client', does: 'stay' },
  { type: 'server', does: 'ask again' },
];

/** No reader asks for the same data again on API Gateway: a push that is under way may repeat the answer. */
const BEHAVIORS: Readonly<Record<ServiceName, readonly ReaderBehavior[]>> = {
  host: HOST_BEHAVIORS,
  balanced: HOST_BEHAVIORS,
  gateway: [
    { type: 'server', does: 'stay' },
    { type: 'client', does: 'switch' },
    { type: 'client', does: 'stay' },
    { type: 'client', does: 'switch' },
  ],
};

/** Creates an environment and connects readers. @param wasSlow whether the table was slow between two times */
export async function openFixture(
  service: Service,
  { seed, ...options }: FixtureOptions,
  wasSlow: (from: number, to: number) => boolean,
  report: Report,
) {
  const writes = new WriteLog();
  const workspace = await createWorkspace(service, writes);
  const { envId } = workspace;
  const graceMs = GRACE_MS[service.name];
  const behaviors = BEHAVIORS[service.name];
  const readers = Array.from({ length: options.readers }, (_, n) => {
    const behavior = behaviors[n % behaviors.length] as ReaderBehavior;
    const name = `${behavior.type} ${n} (${behavior.does})`;
    return new Reader(workspace, behavior, new Random(seed, 100 + n), { name, writes, graceMs, wasSlow, report });
  });
  const writers = Array.from({ length: WRITERS }, (_, n) => {
    return createWriter({ name: `w${n}`, envId, open: service.open, writes, random: new Random(seed, 10 + n), report });
  });
  return { envId, writes, readers, writers };
}

/** Creates an environment with all flags and segments. */
export async function createWorkspace({ target }: Pick<Service, 'target'>, writes: WriteLog): Promise<Workspace> {
  writes.begin('initial');
  const workspace = await Workspace.create(target, [
    ...SEGMENT_IDS.map((id): Document => ({ kind: 'segment', document: segmentOf(id, KEY_IDS) })),
    ...FLAG_KEYS.map((key): Document => ({ kind: 'flag', document: markedFlag(key, 'initial') })),
  ]);
  const stored = await target.store.documents.load(workspace.envId);
  writes.acknowledge(stored.map(itemOf), performance.now());
  return workspace;
}
