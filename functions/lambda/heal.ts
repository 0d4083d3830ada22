import { DueRevocations } from '../../shared/store/connections/dueRevocations.ts';
import { recordServiceVersion } from '../../shared/store/table/serviceVersion.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import type { Invocation } from '../invocation.ts';
import { createRevocationQueue } from '../push/queue.ts';
import { allSettled } from '../websocket/answerDeps.ts';
import { createHeal } from '../websocket/heal.ts';
import { answeringFromEnv } from './answeringFromEnv.ts';
import { flagsTableFromEnv, requireEnv } from './fromEnv.ts';
import { recordFirst } from './recordFirst.ts';
import { sqsFromEnv } from './sqsFromEnv.ts';

const client = createDynamoDb();
const table = flagsTableFromEnv(client);
const version = requireEnv('SERVICE_VERSION');
const answering = answeringFromEnv(client);
const revocations = new DueRevocations(answering.connections.table);
const revocationQueue = createRevocationQueue(sqsFromEnv(), requireEnv('REVOCATION_QUEUE_URL'));
const heal = createHeal({ ...answering, ender: answering.sender });

/**
 * The handler of a schedule that runs every minute. It also sends the due revocations to their queue, and records the version of the
 * service, for the command line and the console.
 */
export const handler = recordFirst(
  () => recordServiceVersion(table, version),
  async (event, invocation: Invocation) => {
    await allSettled([heal(event, invocation), revocations.take(revocationQueue.send)]);
  },
);
