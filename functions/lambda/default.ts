import { systemEffects } from '../../shared/runtime/effects.ts';
import { createDefault } from '../websocket/default.ts';
import { createSync } from '../websocket/sync.ts';
import { answeringFromEnv } from './answeringFromEnv.ts';

/** The route `$default`: messages of all types without their own route. */
export const handler = createDefault(createSync(answeringFromEnv()), systemEffects.now);
