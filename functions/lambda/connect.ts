import { openKnownKeys } from '../../shared/store/authenticate.ts';
import { UnansweredNotes } from '../../shared/store/connections/unanswered.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { createConnect } from '../websocket/connect.ts';
import { flagsFromEnv, requireEnv } from './fromEnv.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);
const unanswered = new UnansweredNotes({ client, name: requireEnv('CONNECTIONS_TABLE'), effects: flags.effects });

// Each has a variable of its own: a text that was split could have empty parts.
const { DOOR_SECRET_1: first, DOOR_SECRET_2: second } = process.env;

/** The authorizer of `$connect`. */
export const handler = createConnect(
  openKnownKeys(flags),
  unanswered,
  flags.effects.now,
  first === undefined ? undefined : [first, ...(second === undefined ? [] : [second])],
);
