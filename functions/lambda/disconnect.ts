import { systemEffects } from '../../shared/store/effects.ts';
import { createDisconnect } from '../websocket/disconnect.ts';
import { tablesFromEnv } from './environment.ts';

/** The route `$disconnect`. */
export const handler = createDisconnect(tablesFromEnv(), systemEffects.now);
