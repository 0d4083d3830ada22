import { systemEffects } from '../../shared/store/effects.ts';
import { createDeliver } from '../push/deliver.ts';
import { ManagementApi } from '../push/managementApi.ts';
import { createRetryQueue } from '../push/queue.ts';
import { requireEnv, tablesFromEnv } from './environment.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const tables = tablesFromEnv();

/** The push queue. */
export const handler = createDeliver({
  tables,
  snapshots: snapshotsFromEnv(tables),
  sender: new ManagementApi(requireEnv('CONNECTIONS_ENDPOINT')),
  queue: createRetryQueue(requireEnv('PUSH_QUEUE_URL')),
  now: systemEffects.now,
  pause: systemEffects.pause,
});
