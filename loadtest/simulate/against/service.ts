import type { AwsProfile } from '../../../dev/emulator/awsProfiles.ts';
import { startLocal } from '../../../dev/emulator/emulator.ts';
import { seedBenchmark } from '../../../dev/local/seed.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizeTemplates } from '../../../infra/inProcess.ts';

/** What the process says once it serves. */
export interface ReadyService {
  readonly port: number;
  readonly clientKey: string;
  readonly table: { readonly name: string; readonly environment: Readonly<Record<string, string>> };
}

/* The emulator with an account's quotas, in a process of its own. */
const [, , account = '', directory = ''] = process.argv;
const aws = JSON.parse(account) as AwsProfile;
const config = readConfig({
  'flagwire:throttlingRate': aws.requests.perSecond,
  'flagwire:throttlingBurst': aws.requests.burst,
});
const stack = await startLocal({ templates: synthesizeTemplates(config), aws, log: () => {} });
const { client: clientKey } = await seedBenchmark(stack, directory);
process.on('disconnect', () => process.exit());
process.send?.({
  port: Number(new URL(stack.streamingUrl).port),
  clientKey,
  table: {
    name: stack.tables.flags,
    environment: { ...stack.environment, AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoDbEndpoint },
  },
} satisfies ReadyService);
