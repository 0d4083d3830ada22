import { inBatches } from '../../shared/runtime/batches.ts';
import type { RecordedChange } from '../../shared/store/history/recordedChange.ts';
import { fromItem } from '../../shared/store/plans/planItem.ts';
import type { Item } from '../../shared/store/table/attributes.ts';
import { envIdOfKey } from '../../shared/store/table/keys.ts';
import type { BatchResult, EventRecord } from '../invocation.ts';
import { log } from '../telemetry/log.ts';
import {
  bytesOfEvent,
  type ChangeEvent,
  eventsOf,
  isPausing,
  planEventOf,
  REQUEST_LIMIT_BYTES,
} from './changeEvent.ts';

/** EventBridge's limits of one request. */
const REQUEST = { count: 10, bytes: REQUEST_LIMIT_BYTES };
/** Maximum number of segments whose names are read for the summaries of a change. Others are shown by their ids. */
const NAMED_SEGMENTS = 20;

/** A stream record with the item before the write. */
interface PlanRecord extends EventRecord {
  readonly dynamodb?: NonNullable<EventRecord['dynamodb']> & { readonly OldImage?: unknown };
}

/** Dependencies of announcing. */
interface AnnounceDeps {
  /** A transaction of the history. Undefined if its environment was deleted. */
  readonly readChange: (envId: string, version: number) => Promise<RecordedChange | undefined>;
  /** Undefined if it was deleted. */
  readonly readEnvironment: (envId: string) => Promise<RecordedChange['environment'] | undefined>;
  readonly readSegmentName: (envId: string, id: string) => Promise<string | undefined>;
  /** Puts events on the bus. @throws if it does not accept all of them */
  readonly putEvents: (events: readonly ChangeEvent[]) => Promise<void>;
}

/**
 * Creates the handler of the stream records of history and plans. A plan that was paused becomes one event. Each record of the history becomes one event for each flag and segment that it changed, in the
 * order of versions. The first record that fails ends the batch, and Lambda retries it and the records after it. So an event
 * is sent at least once, and after all earlier events of its flag.
 */
export function createAnnounce(deps: AnnounceDeps) {
  return async ({ Records }: { readonly Records: readonly PlanRecord[] }): Promise<BatchResult> => {
    const left = new Set(Records);
    const changes = Records.filter((record) => !isPlan(record));
    try {
      for (const record of changes.toSorted((one, other) => versionOf(one) - versionOf(other))) {
        await announce(deps, record.dynamodb?.NewImage?.['pk']?.S ?? '', versionOf(record));
        left.delete(record);
      }
      for (const record of Records.filter(isPlan)) {
        await announcePlan(deps, record);
        left.delete(record);
      }
    } catch (error) {
      log.error('announcing a change failed and will be retried', error as Error);
    }
    // In the order of the stream, of which Lambda retries the rest from the first one on.
    return { batchItemFailures: [...left].map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })) };
  };
}

function isPlan({ dynamodb }: EventRecord): boolean {
  return dynamodb?.NewImage?.['pk']?.S?.startsWith('PLAN#') === true;
}

async function announcePlan({ readEnvironment, putEvents }: AnnounceDeps, { dynamodb }: PlanRecord): Promise<void> {
  const environment = await readEnvironment(envIdOfKey(dynamodb?.NewImage?.['pk']?.S ?? ''));
  const event = environment && pausingEvent(dynamodb, environment);
  if (event) await putEvents([event]);
}

/**
 * @returns undefined if the write did not pause the plan, or if the plan cannot be read. An operator may have written it without Flagwire, and
 *   it must not delay the events of other environments
 */
function pausingEvent(
  dynamodb: PlanRecord['dynamodb'],
  environment: RecordedChange['environment'],
): ChangeEvent | undefined {
  const planIn = (image: unknown) => (image ? fromItem(image as Item) : undefined);
  try {
    const plan = planIn(dynamodb?.NewImage);
    if (!plan || !isPausing(planIn(dynamodb?.OldImage), plan)) return undefined;
    return planEventOf(plan as Parameters<typeof planEventOf>[0], environment);
  } catch (error) {
    log.warn('a plan that cannot be read is not announced', { envId: environment.id, error: error as Error });
    return undefined;
  }
}

function versionOf({ dynamodb }: EventRecord): number {
  return Number(dynamodb?.NewImage?.['sk']?.S);
}

async function announce(deps: AnnounceDeps, pk: string, version: number): Promise<void> {
  const change = await deps.readChange(envIdOfKey(pk), version);
  if (!change) {
    log.warn('a change of a deleted environment is not announced', { pk, version });
    return;
  }
  for (const batch of inBatches(await withNames(deps, change), REQUEST, bytesOfEvent)) await deps.putEvents(batch);
}

/** The events, with the names of segments in their summaries. Only the summaries tell which segments these are. */
async function withNames({ readSegmentName }: AnnounceDeps, change: RecordedChange): Promise<ChangeEvent[]> {
  const ids = new Set<string>();
  const events = eventsOf(change, (id) => {
    ids.add(id);
    return id;
  });
  if (ids.size === 0) return events;
  const names = new Map<string, string>();
  for (const id of [...ids].slice(0, NAMED_SEGMENTS)) {
    const name = await readSegmentName(change.environment.id, id);
    if (name !== undefined) names.set(id, name);
  }
  return eventsOf(change, (id) => names.get(id) ?? id);
}
