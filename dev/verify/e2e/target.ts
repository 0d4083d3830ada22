import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openConnections } from '../../../shared/store/connections/connections.ts';
import type { FlagsTable } from '../../../shared/store/reader.ts';
import { openStore } from '../../../shared/store/store.ts';
import { Usage } from '../../../shared/store/usage/usage.ts';
import type { Difference, Target } from '../conformance/target.ts';
import { callAws, elements, physicalIds } from './awsCalls.ts';
import type { Deployment } from './deployment.ts';
import type { Emulator } from './emulator.ts';

/** The differences of ministack 1.5.33 from API Gateway. Where it comes to behave as API Gateway does, the suite fails. */
const DIFFERENCES: readonly Difference[] = ['unauthorized-is-500', 'no-size-limits'];

/** A deployed stack, which has a table of connections. */
export type DeployedTarget = Target & Required<Pick<Target, 'connections'>>;

/** Functions read for each data-sync, so that only hosts need the wait before a write is acknowledged (record 37). */
const EFFECTS = { ...systemEffects, elapse: async () => {} };

/**
 * A deployment as the conformance suite's target.
 *
 * The outputs' hosts (`<api>.execute-api.…`) lead to AWS; the emulator has each API under a path too, to which SDKs append
 * their `/streaming` and `/api/…` just as well.
 *
 * @param client reaches the emulator's tables
 */
export async function openTarget(
  deployment: Pick<Deployment, 'emulator' | 'outputs' | 'stacks'>,
  client: FlagsTable['client'],
): Promise<DeployedTarget> {
  const { emulator, outputs } = deployment;
  const { host } = new URL(emulator.endpoint);
  const pathOf = (uri: string | undefined) => `${host}/_aws/execute-api/${new URL(uri ?? '').host.split('.')[0]}`;
  const bucket = await findResource(deployment, (_, type) => type === 'AWS::S3::Bucket');
  const usage = await findResource(
    deployment,
    (id, type) => id.includes('Usage') && type === 'AWS::DynamoDB::GlobalTable',
  );
  const tables = { flags: outputs['FlagsTableName'] as string };
  const connections = openConnections({ client, connections: outputs['ConnectionsTableName'] as string });
  return {
    streamingUrl: `ws://${pathOf(outputs['StreamingUri'])}`,
    httpUrl: `http://${pathOf(outputs['PollingUri'])}/$default`,
    ...(outputs['WebhookUri'] && { webhookUrl: `http://${pathOf(outputs['WebhookUri'])}/$default` }),
    store: openStore({ client, ...tables }, EFFECTS),
    tables,
    connections,
    receipts: connections,
    usage: new Usage({ client, name: usage, effects: EFFECTS }),
    insights: () => readObjects(emulator, bucket, 'events/'),
    differences: new Set(DIFFERENCES),
  };
}

/** The physical id of the first resource that is meant. */
async function findResource(
  { emulator, stacks }: Pick<Deployment, 'emulator' | 'stacks'>,
  isMeant: (logicalId: string, type: string) => boolean,
): Promise<string> {
  for (const [stackName, { template }] of Object.entries(stacks)) {
    const [id] = Object.entries(template.Resources).find(([each, { Type }]) => isMeant(each, Type)) ?? [];
    if (id !== undefined) return (await physicalIds(emulator, stackName)).get(id) as string;
  }
  throw new Error('no stack has such a resource');
}

async function readObjects(emulator: Emulator, bucket: string, prefix: string): Promise<string> {
  const list = await callAws(emulator, { service: 's3', path: `/${bucket}?list-type=2&prefix=${prefix}` });
  const objects = elements(list, 'Key').map((key) => callAws(emulator, { service: 's3', path: `/${bucket}/${key}` }));
  return (await Promise.all(objects)).join('');
}
