import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { FunctionDefinition } from './definition.ts';

/** The second argument of a Lambda handler: what Node handlers on AWS find there, without the callbacks of old. */
export interface LambdaContext {
  readonly awsRequestId: string;
  readonly callbackWaitsForEmptyEventLoop: boolean;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
  readonly memoryLimitInMB: string;
  /** Milliseconds until the function's timeout. */
  getRemainingTimeInMillis(): number;
}

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
