import { type CloudWatchClient, DescribeAlarmsCommand, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import packageJson from '../../package.json' with { type: 'json' };
import { readAlarms as readNamedAlarms } from '../../shared/runtime/alarms.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openConnections } from '../../shared/store/connections/connections.ts';
import { openFlagReader } from '../../shared/store/reader.ts';
import type { Context } from '../api.ts';
import type { ConsoleContext } from '../server/consoleContext.ts';
import { readAlarms } from './alarms.ts';
import { createLook } from './look.ts';
import { cloudWatchMetrics } from './metrics.ts';

interface DeployedDeps extends Pick<ConsoleContext, 'author' | 'tables'> {
  readonly cloudWatch: CloudWatchClient;
  readonly region: string;
  /** Prefix of its alarms, and dimension of its metrics. */
  readonly deployment: string;
  /** What else is known. */
  readonly context: Omit<Context, 'by' | 'mode' | 'region' | 'table' | 'version'>;
}

/** The console of one operator for a deployed table, with the credentials of the clients. */
export function deployedContext({
  tables,
  author,
  cloudWatch,
  region,
  deployment,
  context,
}: DeployedDeps): ConsoleContext {
  const { client, flags, connections } = tables;
  return {
    tables,
    author,
    effects: systemEffects,
    context: { ...context, version: packageJson.version, mode: 'aws', table: flags, region },
    readAlarms: () =>
      readAlarms(
        async (input) => (await cloudWatch.send(new DescribeAlarmsCommand(input))).MetricAlarms ?? [],
        deployment,
        region,
      ),
    readGuards: (names) => readNamedAlarms(cloudWatch, names),
    keptSecrets: [],
    look: createLook({
      store: openFlagReader(tables, systemEffects),
      connections: connections === undefined ? undefined : openConnections({ client, connections }),
      readMetrics: cloudWatchMetrics(
        async (input) => (await cloudWatch.send(new GetMetricDataCommand(input))).MetricDataResults ?? [],
        deployment,
      ),
    }),
  };
}
