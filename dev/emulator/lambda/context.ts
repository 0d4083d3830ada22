import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { Clock } from '../clock.ts';
import type { FunctionDefinition } from './definition.ts';

/** The second argument of a Lambda handler, without the former callbacks. */
export type LambdaContext = Omit<Context, 'done' | 'fail' | 'succeed'>;

/** The context of one invocation of `definition`, starting now. */
export function lambdaContext(definition: FunctionDefinition, clock: Clock): LambdaContext {
  const deadline = clock.now() + definition.timeoutMs;
  return {
    awsRequestId: randomUUID(),
    callbackWaitsForEmptyEventLoop: true,
    functionName: definition.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: definition.arn,
    logGroupName: `/aws/lambda/${definition.name}`,
    logStreamName: 'local',
    memoryLimitInMB: String(definition.memoryMb),
    getRemainingTimeInMillis: () => Math.max(0, deadline - clock.now()),
  };
}
