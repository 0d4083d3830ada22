import { createSync } from '../websocket/sync.ts';
import { answeringFromEnv } from './answeringFromEnv.ts';

/** The route `data-sync`. */
export const handler = createSync(answeringFromEnv());
