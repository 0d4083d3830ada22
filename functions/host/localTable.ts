import { join } from 'node:path';
import type { Announcement } from '../../shared/store/announcement.ts';

/**
 * Settings for a host on the table of the emulator that runs in a folder, on the next port; what is set already stays as it is.
 *
 * @param env the variables that are set
 * @param folder where the emulator keeps its data, and the host may
 * @returns the variables to set besides; none where a table is named already
 */
export function localTableSettings(
  env: Readonly<Record<string, string | undefined>>,
  { environment, dynamoDbEndpoint, flagsTable }: Announcement,
  folder: string,
): Readonly<Record<string, string>> {
  if (env['FLAGS_TABLE']) return {};
  const { PORT = '5200', HOST = '127.0.0.1', STATE_DIR = join(folder, 'host') } = env;
  const INSIGHT_FILE = env['INSIGHT_FILE'] ?? join(folder, 'host-insights.ndjson');
  return {
    ...environment,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint,
    FLAGS_TABLE: flagsTable,
    PORT,
    HOST,
    STATE_DIR,
    ...(env['INSIGHT_STREAM'] ? {} : { INSIGHT_FILE }),
  };
}
