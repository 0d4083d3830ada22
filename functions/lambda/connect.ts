import { systemEffects } from '../../shared/store/effects.ts';
import { SecretCache } from '../../shared/store/secretCache.ts';
import { createConnect } from '../websocket/connect.ts';
import { tablesFromEnv } from './environment.ts';

/** The authorizer of `$connect`. */
export const handler = createConnect(new SecretCache(tablesFromEnv(), systemEffects), systemEffects.now);
