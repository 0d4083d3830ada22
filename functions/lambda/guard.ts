import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import { createGuard } from '../guards/guard.ts';
import { readTargets } from '../guards/taggedAlarms.ts';
import { requireEnv } from './environment.ts';

/** Each alarm of the account calls the function, and CloudWatch answers 9 requests of `DescribeAlarms` a second. */
const MAX_ATTEMPTS = 10;

const cloudWatch = new CloudWatchClient({
  maxAttempts: MAX_ATTEMPTS,
  requestHandler: { connectionTimeout: 1_000, socketTimeout: 5_000 },
});

/** Events of alarms that enter the state ALARM. */
export const handler = createGuard({
  table: { client: createDynamoDb(), name: requireEnv('FLAGS_TABLE'), effects: systemEffects },
  readAlarms: (names) => readAlarms(cloudWatch, names),
  readTargets: (arn) => readTargets(cloudWatch, arn),
});
