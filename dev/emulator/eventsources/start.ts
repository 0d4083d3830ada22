import type { AccessRequest } from '../iam/evaluate.ts';
import { assumedArn, type Identities } from '../iam/identities.ts';
import type { FunctionDefinition } from '../lambda/definition.ts';
import { functionNameIn } from '../lambda/permissions.ts';
import type { Queues } from '../queues/queue.ts';
import type { EventSourceMappings } from './definition.ts';
import { startQueuePoller } from './queuePoller.ts';
import { type BackOff, type Poller, type StreamPollerServices, startStreamPoller } from './streamPoller.ts';

/** Doubles from 100 ms to at most 30 s. AWS does not publish its own schedule. */
const exponentialBackOff: BackOff = (retry) => Math.min(30_000, 100 * 2 ** (retry - 1));

/** Dependencies of event sources. */
interface EventSourceServices extends Pick<StreamPollerServices, 'functions' | 'stream' | 'clock' | 'log'> {
  readonly queues: Queues;
  /** The default doubles for streams, and is the visibility timeout for queues. */
  readonly backOff: BackOff | undefined;
}

/** Starts a poller for every mapping. @throws Error when a mapping's queue is not there. */
export async function startEventSources(
  mappings: EventSourceMappings,
  { functions, queues, stream, clock, log, backOff }: EventSourceServices,
): Promise<Poller[]> {
  const pollers = mappings.queues.map((mapping) =>
    startQueuePoller(mapping, { functions, queue: queues.byArn(mapping.queueArn), clock, log, backOff }),
  );
  for (const mapping of mappings.streams) {
    if (mapping.onFailureArn !== undefined) queues.byArn(mapping.onFailureArn);
    const services = { functions, stream, clock, log, backOff: backOff ?? exponentialBackOff };
    pollers.push(await startStreamPoller(mapping, services));
  }
  return pollers;
}

/** Actions of Lambda's pollers under the function's role. Source: Lambda's guide, the pages on DynamoDB and on SQS. */
const STREAM_ACTIONS = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
const QUEUE_ACTIONS = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];

/**
 * Checks that the roles of functions let Lambda's pollers read what the functions are mapped to, as Lambda checks when a mapping
 * is created.
 *
 * @throws Error naming the mapping and what the role does not allow
 */
export function checkEventSources(
  { streams, queues }: EventSourceMappings,
  functions: readonly FunctionDefinition[],
  identities: Identities,
): void {
  const check = (path: string, functionName: string, requests: readonly AccessRequest[]) => {
    const found = functions.find(({ name }) => name === functionNameIn(functionName));
    if (!found) throw new Error(`${path}: there is no function "${functionName}"`);
    const denial = identities.denial({ arn: assumedArn(found.role, found.name), role: found.role }, path, requests);
    if (denial !== undefined) throw new Error(`${path}: ${denial}`);
  };
  const all = (actions: readonly string[], resource: string) => actions.map((action) => ({ action, resource }));
  for (const { path, functionName, streamArn, onFailureArn } of streams) {
    check(path, functionName, [
      { action: 'dynamodb:ListStreams', resource: '*' },
      ...all(STREAM_ACTIONS, streamArn),
      ...(onFailureArn === undefined ? [] : all(['sqs:SendMessage'], onFailureArn)),
    ]);
  }
  for (const { path, functionName, queueArn } of queues) check(path, functionName, all(QUEUE_ACTIONS, queueArn));
}
