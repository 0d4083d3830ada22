import { benchmarkDocuments, clientFullSyncs, parseDocuments } from '../../../shared/testing/fixtures.ts';
import { type EnvironmentSize, generateDocuments } from './generate.ts';
import { generateUsers, k6Users } from './population.ts';
import type { Documents } from './syncs.ts';

/** An environment and the users it is evaluated for, as JSON texts. */
export interface Workload {
  readonly documents: Documents;
  readonly users: readonly string[];
}

/** FeatBit's benchmark: its data set, the twelve users of our vectors, and those its load test makes up. */
export function benchmark(): Workload {
  const known = clientFullSyncs().map(({ user }) => JSON.stringify(user));
  return { documents: parseDocuments(benchmarkDocuments()), users: [...known, ...k6Users(1000 - known.length)] };
}

/** A product with very many flags. */
export function thousandFlags(): Workload {
  return generated({ flags: 1000, rulesPerFlag: 3, segments: 10, usersPerSegment: 100 });
}

/** The same with segments that name half a million users. */
export function largeEnvironment(): Workload {
  return generated({ flags: 1000, rulesPerFlag: 3, segments: 50, usersPerSegment: 10_000 });
}

/** Documents go through JSON, as they do on their way out of a table. */
function generated(size: EnvironmentSize): Workload {
  const documents = JSON.parse(JSON.stringify(generateDocuments(size)));
  return { documents: parseDocuments(documents), users: generateUsers(1000) };
}
