import type { MissingAttribute } from '../../shared/evaluation/condition.ts';
import type { DocumentSource } from '../../shared/store/consistentRead.ts';
import { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { logInvalidConditions } from '../telemetry/log.ts';

/**
 * The environments' snapshots of one instance. `MISSING_ATTRIBUTE` chooses how conditions read an attribute that a user
 * lacks: `empty` (the default, FeatBit's server) or `no-match` (FeatBit's draft SDK specification).
 */
export function snapshotsFromEnv(flags: DocumentSource): SnapshotCache {
  const choice = process.env['MISSING_ATTRIBUTE'] || 'empty';
  if (!isMissingAttribute(choice)) throw new Error(`MISSING_ATTRIBUTE must be empty or no-match, but is "${choice}"`);
  return new SnapshotCache(flags, logInvalidConditions, choice, snapshotCapacity());
}

function isMissingAttribute(text: string): text is MissingAttribute {
  return text === 'empty' || text === 'no-match';
}

/**
 * What an instance keeps of its environments, in bytes of their documents as JSON: an eighth of its memory, as they take
 * several times as much when they are compiled, and another environment is loaded before one is forgotten.
 *
 * @param memoryMb as Lambda says it to each function
 * @returns undefined outside of Lambda: then the cache has a default
 */
export function snapshotCapacity(memoryMb = process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE']): number | undefined {
  return memoryMb ? (Number(memoryMb) * 1_024 * 1_024) / 8 : undefined;
}
