import { CloudFrontKeyValueStoreClient } from '@aws-sdk/client-cloudfront-keyvaluestore';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { createDoorHint } from '../tier/doorHint.ts';
import { createStatusReader } from '../tier/ec2Machine.ts';
import { runTier } from '../tier/runTier.ts';
import { defaultProvider } from './credentials.ts';
import { requestHandler, requireEnv } from './fromEnv.ts';

const store = openStore({ client: createDynamoDb(), flags: requireEnv('FLAGS_TABLE') });
const target = { endpoint: requireEnv('EC2_ENDPOINT'), region: requireEnv('AWS_REGION'), keys: defaultProvider() };
const deps = {
  tiers: store.tiers,
  records: store.machine,
  readStatus: createStatusReader(target, requireEnv('INSTANCE_ID'), systemEffects),
  // The next call of the function repeats a write.
  writeHint: createDoorHint(
    new CloudFrontKeyValueStoreClient({ maxAttempts: 1, requestHandler }),
    requireEnv('HINTS_ARN'),
  ),
  now: systemEffects.now,
};

/** The handler of a schedule that runs every minute. It decides where handshakes of the front door go first. */
export const handler = (): Promise<void> => runTier(deps);
