import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import type { Invocation } from '../invocation.ts';
import { createReadGuards } from '../plans/readGuards.ts';
import { runTick } from '../plans/runTick.ts';
import { keepTaggedAlarms, readTaggedAlarms } from '../plans/taggedAlarms.ts';
import { log } from '../telemetry/log.ts';
import { flagsTableFromEnv, requestHandler, requireEnv } from './fromEnv.ts';
import { recordFirst } from './recordFirst.ts';

/** How long before its end a call starts no further step, in milliseconds. A step is retried for several seconds. */
const LAST_STEP_MS = 15_000;

const table = flagsTableFromEnv();
const connections = requireEnv('CONNECTIONS_TABLE');
const usage = process.env['USAGE_TABLE'];
const cloudWatch = new CloudWatchClient({ requestHandler });
const tagging = new ResourceGroupsTaggingAPIClient({ requestHandler });
const readTags = keepTaggedAlarms(() => readTaggedAlarms(tagging));

const tick = async (_event: unknown, invocation: Invocation): Promise<void> => {
  const until = systemEffects.now() + invocation.getRemainingTimeInMillis() - LAST_STEP_MS;
  const readGuards = createReadGuards({
    table,
    readAlarms: (names) => readAlarms(cloudWatch, names),
    readTaggedAlarms: readTags,
  });
  const failures = await runTick(table, until, readGuards);
  for (const error of failures) log.error('plan failed', { error });
  if (failures.length > 0) throw new Error(`${failures.length} plans failed`);
};

/**
 * The handler of a schedule that runs every minute. It applies the due steps of plans. It fails if a plan failed, for the alarm. It also
 * records the names of the tables, for the command line.
 */
export const handler = recordFirst(
  () => recordServiceTables(table, { connections, ...(usage ? { usage } : {}) }),
  tick,
);
