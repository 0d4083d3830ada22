import { systemEffects } from '../../shared/store/effects.ts';
import { ManagementApi } from '../push/managementApi.ts';
import { createSync } from '../websocket/sync.ts';
import { requireEnv, tablesFromEnv } from './environment.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const tables = tablesFromEnv();

/** The route `data-sync`. */
export const handler = createSync({
  tables,
  snapshots: snapshotsFromEnv(tables),
  sender: new ManagementApi(requireEnv('CONNECTIONS_ENDPOINT')),
  now: systemEffects.now,
  pause: systemEffects.pause,
});
