import { type CloudWatchClient, ListTagsForResourceCommand } from '@aws-sdk/client-cloudwatch';
import { paginateGetResources, type ResourceGroupsTaggingAPIClient } from '@aws-sdk/client-resource-groups-tagging-api';
import { log } from '../telemetry/log.ts';

/** The tag that makes an alarm a guard of flags: `<environment>/<flag>`, several separated by spaces. */
const TAG = 'flagwire:guard';

/** An alarm with the tag. */
export interface TaggedAlarm {
  readonly name: string;
  /** Each is `<environment>/<flag>`. */
  readonly targets: readonly string[];
}

/** The alarms with the tag, as they were read last. */
export interface TaggedAlarms {
  readonly alarms: readonly TaggedAlarm[];
  /** Why they could not be read again. */
  readonly failure?: Error;
}

type Tags = readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[];

/** Reads all alarms that have the tag. */
export async function readTaggedAlarms(client: ResourceGroupsTaggingAPIClient): Promise<TaggedAlarm[]> {
  const alarms: TaggedAlarm[] = [];
  const query = { ResourceTypeFilters: ['cloudwatch:alarm'], TagFilters: [{ Key: TAG }] };
  for await (const { ResourceTagMappingList = [] } of paginateGetResources({ client }, query)) {
    for (const { ResourceARN = '', Tags = [] } of ResourceTagMappingList) {
      // The name may contain colons: arn:aws:cloudwatch:<region>:<account>:alarm:<name>.
      alarms.push({ name: ResourceARN.split(':').slice(6).join(':'), targets: targetsIn(Tags) });
    }
  }
  return alarms;
}

/** Keeps the alarms with the tag, for a time in which they cannot be read. It never fails. */
export function keepTaggedAlarms(read: () => Promise<readonly TaggedAlarm[]>): () => Promise<TaggedAlarms> {
  let alarms: readonly TaggedAlarm[] = [];
  return async () => {
    try {
      alarms = await read();
      return { alarms };
    } catch (error) {
      const failure = error as Error;
      log.warn('tags of alarms not read; plans without known guards continue', { error: failure });
      return { alarms, failure };
    }
  };
}

/** The flags that an alarm guards by its tag. */
export async function readTargets(client: CloudWatchClient, ResourceARN: string): Promise<readonly string[]> {
  const { Tags = [] } = await client.send(new ListTagsForResourceCommand({ ResourceARN }));
  return targetsIn(Tags);
}

function targetsIn(tags: Tags): string[] {
  const value = tags.find(({ Key }) => Key === TAG)?.Value ?? '';
  return value.split(/\s+/).filter((target) => target !== '');
}
