import { createDefault } from '../websocket/default.ts';
import { handler as sync } from './sync.ts';

/** The route `$default`: messages of all types that have no route of their own. */
export const handler = createDefault(sync, Date.now);
