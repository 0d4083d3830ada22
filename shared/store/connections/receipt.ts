import type { History } from '../history/history.ts';
import { numberIn, textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { itemsUnder, onlyAttributes, readItems, sortKeys } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { KEPT_ROUNDS, type ServedRound, SHARDS, type ShardCursor } from './connection.ts';
import type { Connections } from './connections.ts';
import { type DeliveryState, knownVersion, stateIn } from './deliveryState.ts';
import type { HostNotes } from './hostNotes.ts';
import { type HostReport, HostReports } from './hostReports.ts';
import { toCursor } from './shardProgress.ts';

/** Maximum number of connections that a receipt names. */
const NAMED_CONNECTIONS = 10;

/** The attributes that a receipt reads. None of them tells who uses a connection. */
const ATTRIBUTES = ['sk', 'firstRequestedAt', 'leaseUntil', 'sentTo', 'version', 'behind'];
const CURSOR_ATTRIBUTES = ['sk', 'servedTo', 'rounds', 'delivering', 'servedId', 'begunId'];

/** A change in the history, and the version after it. */
export interface WrittenVersion {
  /** The version of the change in the history. */
  readonly change: number;
  /** The environment's version after the change. A large change has several. */
  readonly version: number;
  /** When it was written by the writer's clock, unix milliseconds. */
  readonly at: number;
}

/**
 * Why a connection does not have a version yet: the kind of its state, `current` before the push reaches it, and
 * `onHost` if a host has not written the version to its socket.
 */
export type BehindKind = DeliveryState['kind'] | 'onHost';

/** Which connections a version was handed to. It never claims more than is true. */
export interface Receipt {
  readonly version: number;
  /** Number of counted connections that it was handed to. They were open when it was written, and still are. */
  readonly handed: number;
  /** Number of connections that do not have it, by kind. Kinds without connections are absent. */
  readonly behind: Readonly<Partial<Record<BehindKind, number>>>;
  /** Ids of some of the connections that do not have it. */
  readonly behindIds: readonly string[];
  /** Hosts whose connections are unknown: their lease has ended, they have not reported since the version, or they cannot report. */
  readonly unknownHosts: readonly string[];
  /** When the last delivery of the version ended, unix milliseconds. Undefined if it is not known, or not delivered. */
  readonly lastAt?: number;
  /** Maximum number of connections that got it after the deliveries, by their own answers or by healing. */
  readonly later: number;
}

/** The number of connections that do not have the version of a receipt. */
export function countBehind({ behind }: Pick<Receipt, 'behind'>): number {
  return Object.values(behind).reduce((sum, count) => sum + count, 0);
}

/** Whether all counted connections certainly have the version. */
export function isComplete(receipt: Pick<Receipt, 'behind' | 'unknownHosts'>): boolean {
  return countBehind(receipt) === 0 && receipt.unknownHosts.length === 0;
}

/**
 * Finds a change in the history.
 *
 * @param version one of the versions that the change wrote. By default, the newest change
 * @returns undefined if there is no such change, or if it has expired
 */
export async function findVersion(
  history: Pick<History, 'entries'>,
  envId: string,
  version?: number,
): Promise<WrittenVersion | undefined> {
  for await (const entry of history.entries(envId)) {
    const { change, documents } = entry;
    const isFound = [undefined, change].includes(version) || documents.some(({ updatedAt }) => updatedAt === version);
    if (isFound) return { change, version: entry.version, at: entry.at };
    if (version !== undefined && entry.version < version) break;
  }
  return undefined;
}

/**
 * Computes the receipt of a version from the rows of its connections and the reports of hosts. It reads about 0.08 read units for each connection.
 *
 * The progress of the shards is read before the rows, so that every row with the state `current` has what its shard was
 * served. The notes of hosts are read before their reports: a host removes its note after it has reported. All reads are strongly
 * consistent.
 */
export async function readReceipt(
  { table }: Pick<Connections, 'table'>,
  notes: Pick<HostNotes, 'load'>,
  envId: string,
  { version, at }: Pick<WrittenVersion, 'version' | 'at'>,
): Promise<Receipt> {
  const shards = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => readShardCursor(table, envId, shard, version)),
  );
  // The clock of the writer may be behind. A delivery proves that the version was written before.
  const writtenBy = Math.min(...shards.map(({ round }) => round?.at ?? Number.POSITIVE_INFINITY));
  const behind: Partial<Record<BehindKind, number>> = {};
  const behindIds: string[] = [];
  const times: (number | undefined)[] = [];
  let [handed, left] = [0, 0];
  for (const { shard, cursor, round, isRoundKnown } of shards) {
    let here = 0;
    const { pk, sk } = keys.cursor(envId, shard);
    for await (const item of itemsUnder(table, pk, { ...sortKeys('>', sk), ...onlyAttributes(ATTRIBUTES) })) {
      const [id, state, openedAt] = [textIn(item, 'sk'), stateIn(item), numberIn(item, 'firstRequestedAt')];
      if (hasVersion(id, state, cursor, version)) {
        if (openedAt <= at) here++;
      } else if (openedAt <= writtenBy) {
        behind[state.kind] = (behind[state.kind] ?? 0) + 1;
        if (behindIds.length < NAMED_CONNECTIONS) behindIds.push(id);
      }
    }
    handed += here;
    left += round?.left ?? 0;
    if (here > 0) times.push(isRoundKnown ? round?.at : undefined);
  }
  const unknown = new Set(await notes.load());
  for (const { id, report, leaseUntil } of await new HostReports(table).load(envId)) {
    // The number of connections is older than the version then, and may have been 0.
    const hasNotReported = version > report.newest && report.open === 0;
    if (leaseUntil <= table.effects.now() || hasNotReported) {
      unknown.add(id);
      continue;
    }
    const { had, lacking } = countOnHost(report, version);
    handed += had;
    if (lacking > 0) behind.onHost = (behind.onHost ?? 0) + lacking;
    const { round, isRoundKnown } = findRound(report.rounds, version);
    if (had > 0) times.push(isRoundKnown ? round?.at || undefined : undefined);
  }
  const known = times.filter((time) => time !== undefined);
  return {
    version,
    handed,
    behind,
    behindIds,
    unknownHosts: [...unknown],
    ...(known.length > 0 && known.length === times.length ? { lastAt: Math.max(...known) } : {}),
    later: Math.min(handed, left),
  };
}

/** Whether a connection certainly has a version. @param cursor the progress of its shard, read before its state */
function hasVersion(id: string, state: DeliveryState, cursor: ShardCursor, version: number): boolean {
  if (knownVersion(state) >= version) return true;
  if (state.kind !== 'current') return false;
  const { servedTo = 0, progress } = cursor;
  return servedTo >= version || (progress !== undefined && progress.version >= version && id <= progress.servedId);
}

/** The connections of a host that have a version, and those that do not. */
function countOnHost({ open, served, behind, servedTo, newest }: HostReport, version: number) {
  if (version <= servedTo) return { had: served, lacking: 0 };
  return version <= newest ? { had: open - behind, lacking: behind } : { had: 0, lacking: open };
}

/** How far a shard was served, and the delivery of a version. */
interface VersionedShard {
  readonly shard: number;
  readonly cursor: ShardCursor;
  /** The first kept delivery that included the version. */
  readonly round: ServedRound | undefined;
  /** False if an earlier delivery may have included it. */
  readonly isRoundKnown: boolean;
}

async function readShardCursor(table: Table, envId: string, shard: number, version: number): Promise<VersionedShard> {
  const { pk, sk } = keys.cursor(envId, shard);
  const [row] = await readItems(table, pk, { ...sortKeys('=', sk), ...onlyAttributes(CURSOR_ATTRIBUTES) });
  const cursor = toCursor(row);
  return { shard, cursor, ...findRound(cursor.rounds ?? [], version) };
}

function findRound(rounds: readonly ServedRound[], version: number) {
  const round = rounds.find((each) => each.version >= version);
  return { round, isRoundKnown: rounds.length < KEPT_ROUNDS || round !== rounds[0] };
}
