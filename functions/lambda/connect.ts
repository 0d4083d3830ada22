import { SecretCache } from '../../shared/store/secretCache.ts';
import { createConnect } from '../websocket/connect.ts';
import { flagsFromEnv } from './flags.ts';

const flags = flagsFromEnv();

/** The authorizer of `$connect`. */
export const handler = createConnect(new SecretCache(flags), flags.effects.now);
