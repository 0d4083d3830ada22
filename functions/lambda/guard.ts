import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import { createGuard } from '../guards/guard.ts';
import { readTargets } from '../guards/taggedAlarms.ts';
import { requireEnv } from './environment.ts';

const cloudWatch = new CloudWatchClient({ requestHandler: { connectionTimeout: 1_000, socketTimeout: 5_000 } });

/** Events of alarms that enter the state ALARM. */
export const handler = createGuard({
  table: { client: createDynamoDb(), name: requireEnv('FLAGS_TABLE'), effects: systemEffects },
  readAlarms: (names) => readAlarms(cloudWatch, names),
  readTargets: (arn) => readTargets(cloudWatch, arn),
});
