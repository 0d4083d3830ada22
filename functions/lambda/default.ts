import { createDefault } from '../websocket/default.ts';
import { syncFromEnv } from './syncFromEnv.ts';

/** The route `$default`: messages of all types that have no route of their own. */
export const handler = createDefault(syncFromEnv(), Date.now);
