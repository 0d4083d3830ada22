import { type AwsRequest, callAws, elements, formRequest } from './awsCalls.ts';
import type { Emulator } from './emulator.ts';

/** The resources of an account: sorted names, by kind. */
export type Inventory = Readonly<Record<string, readonly string[]>>;

interface Kind {
  readonly list: AwsRequest;
  readonly names: (answer: string) => string[];
}

const query = (service: string, version: string, Action: string, element: string): Kind => ({
  list: formRequest(service, version, { Action }),
  names: (answer) => elements(answer, element),
});

/** @param field what of an item is its name; none where the item is */
const json = (list: AwsRequest, items: string, field?: string): Kind => ({
  list,
  names: (answer) => {
    const found: unknown[] = JSON.parse(answer)[items] ?? [];
    return found.map((item) => String(field === undefined ? item : (item as Record<string, unknown>)[field]));
  },
});

const kinds: Readonly<Record<string, Kind>> = {
  stacks: query('cloudformation', '2010-05-15', 'DescribeStacks', 'StackName'),
  tables: json({ service: 'dynamodb', target: 'DynamoDB_20120810.ListTables', body: '{}' }, 'TableNames'),
  functions: json({ service: 'lambda', path: '/2015-03-31/functions' }, 'Functions', 'FunctionName'),
  eventSources: json({ service: 'lambda', path: '/2015-03-31/event-source-mappings' }, 'EventSourceMappings', 'UUID'),
  queues: json({ service: 'sqs', target: 'AmazonSQS.ListQueues', body: '{}' }, 'QueueUrls'),
  apis: json({ service: 'apigateway', path: '/v2/apis' }, 'items', 'apiId'),
  buckets: { list: { service: 's3' }, names: (answer) => elements(answer, 'Name') },
  deliveryStreams: json(
    { service: 'firehose', target: 'Firehose_20150804.ListDeliveryStreams', body: '{}' },
    'DeliveryStreamNames',
  ),
  logGroups: json(
    { service: 'logs', target: 'Logs_20140328.DescribeLogGroups', body: '{}' },
    'logGroups',
    'logGroupName',
  ),
  roles: query('iam', '2010-05-08', 'ListRoles', 'RoleName'),
  alarms: query('monitoring', '2010-08-01', 'DescribeAlarms', 'AlarmName'),
  dashboards: query('monitoring', '2010-08-01', 'ListDashboards', 'DashboardName'),
};

/** Lists the resources of each kind in {@link kinds}. */
export async function takeInventory(emulator: Emulator): Promise<Inventory> {
  const lists = Object.entries(kinds).map(async ([kind, { list, names }]) => {
    return [kind, names(await callAws(emulator, list)).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(lists));
}
