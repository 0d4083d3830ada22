import { systemEffects } from '../../shared/runtime/effects.ts';
import type { DocumentSource } from '../../shared/store/snapshots/consistentRead.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { createPace } from '../gateway/pace.ts';
import { logInvalidConditions } from '../telemetry/log.ts';
import { connectionsFromEnv, flagsFromEnv, requireNumber } from './fromEnv.ts';
import { managementApiFromEnv } from './managementApiFromEnv.ts';

/**
 * The environments' snapshots of one instance. `MISSING_ATTRIBUTE` sets how conditions read a missing attribute:
 * `empty` (the default, FeatBit's server) or `no-match` (FeatBit's draft SDK specification).
 */
export function snapshotsFromEnv(flags: DocumentSource): SnapshotCache {
  const choice = process.env['MISSING_ATTRIBUTE'] || 'empty';
  if (choice !== 'empty' && choice !== 'no-match')
    throw new Error(`MISSING_ATTRIBUTE must be empty or no-match, but is "${choice}"`);
  return new SnapshotCache(flags, logInvalidConditions, choice, snapshotCapacity());
}

/**
 * The cache size of an instance, in bytes of the documents as JSON: an eighth of its memory. Compiled documents take
 * several times as much, and an environment is loaded before another is evicted.
 *
 * @param memoryMb set by Lambda for each function
 * @returns undefined outside Lambda; the cache then uses its default
 */
export function snapshotCapacity(memoryMb = process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE']): number | undefined {
  return memoryMb ? (Number(memoryMb) * 1_024 * 1_024) / 8 : undefined;
}

/** Posts to the connections of the stage, and the rate at which an instance posts. */
export function postsFromEnv() {
  return { sender: managementApiFromEnv(), pace: createPace(requireNumber('POSTS_PER_SECOND'), systemEffects) };
}

/** What answers data-syncs. */
export function answeringFromEnv(client = createDynamoDb()) {
  const flags = flagsFromEnv(client);
  return {
    connections: connectionsFromEnv(client),
    relays: flags.relays,
    snapshots: snapshotsFromEnv(flags),
    effects: systemEffects,
    ...postsFromEnv(),
  };
}
