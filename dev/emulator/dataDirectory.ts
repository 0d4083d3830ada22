import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from './closers.ts';

/**
 * The places of data inside `dataDir`, made if need be. Without one, the tables live in memory (their places are undefined), and
 * insight events in a temporary directory that is removed on closing.
 */
export async function openDataDirectory(dataDir: string | undefined, closers: Closers) {
  if (dataDir === undefined) {
    const insight = await mkdtemp(join(tmpdir(), 'flagwire-insight-'));
    closers.add(() => rm(insight, { recursive: true, force: true }));
    return { insight, dynamoDb: undefined, dynamoDbPort: undefined };
  }
  await mkdir(dataDir, { recursive: true });
  const [insight, dynamoDb, dynamoDbPort] = ['insight', 'dynamodb', 'dynamodb.port'].map((name) => join(dataDir, name));
  return { insight: insight as string, dynamoDb, dynamoDbPort };
}
