import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { createGuard } from '../plans/guard.ts';
import { readTargets } from '../plans/taggedAlarms.ts';
import { createWebhook } from '../plans/webhook.ts';
import { flagsTableFromEnv, requestHandler } from './fromEnv.ts';

/** Each alarm of the account calls the function. Many at once may exceed the account's quota of `DescribeAlarms`. */
const MAX_ATTEMPTS = 10;

const cloudWatch = new CloudWatchClient({ maxAttempts: MAX_ATTEMPTS, requestHandler });

const table = flagsTableFromEnv();
const webhook = handle(createWebhook(table));
const alarm = createGuard({
  table,
  readAlarms: (names) => readAlarms(cloudWatch, names),
  readTargets: (arn) => readTargets(cloudWatch, arn),
});

/** Events of alarms that enter the state ALARM, and requests of webhooks (payload format 2.0). */
export const handler = (event: object, context: LambdaContext): Promise<unknown> =>
  'rawPath' in event ? webhook(event as LambdaEvent, context) : alarm(event);
