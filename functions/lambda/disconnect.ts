import { systemEffects } from '../../shared/runtime/effects.ts';
import { createDisconnect } from '../websocket/disconnect.ts';
import { connectionsFromEnv } from './fromEnv.ts';

/** The route `$disconnect`. */
export const handler = createDisconnect(connectionsFromEnv(), systemEffects.now);
