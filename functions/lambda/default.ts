import { systemEffects } from '../../shared/runtime/effects.ts';
import { createDefault } from '../websocket/default.ts';
import { syncFromEnv } from './syncFromEnv.ts';

/** The route `$default`: messages of all types without their own route. */
export const handler = createDefault(syncFromEnv(), systemEffects.now);
