import { syncFromEnv } from './syncFromEnv.ts';

/** The route `data-sync`. */
export const handler = syncFromEnv();
