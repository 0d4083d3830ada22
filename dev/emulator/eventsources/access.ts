import type { AccessRequest } from '../iam/evaluate.ts';
import { assumedArn, type Identities } from '../iam/identities.ts';
import type { FunctionDefinition } from '../lambda/definition.ts';
import { functionNameIn } from '../lambda/permissions.ts';
import type { EventSourceMappings } from './definition.ts';

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
