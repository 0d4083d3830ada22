import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Closers } from './closers.ts';

/** Folders and files of the data. Undefined means in memory. */
interface DataDirectory {
  readonly dynamoDb?: string;
  /** The file with its port. */
  readonly dynamoDbPort?: string;
  readonly insight: string;
}

/**
 * The places inside `dataDir`, made if need be. Without one, the tables live in memory, and insight events in a
 * temporary directory that is removed on closing.
 */
export async function openDataDirectory(dataDir: string | undefined, closers: Closers): Promise<DataDirectory> {
  if (dataDir === undefined) {
    const insight = await mkdtemp(join(tmpdir(), 'flagwire-insight-'));
    closers.add(() => rm(insight, { recursive: true, force: true }));
    return { insight };
  }
  await mkdir(dataDir, { recursive: true });
  return {
    dynamoDb: join(dataDir, 'dynamodb'),
    dynamoDbPort: join(dataDir, 'dynamodb.port'),
    insight: join(dataDir, 'insight'),
  };
}
