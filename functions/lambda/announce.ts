import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  readRecordedChange,
  readRecordedEnvironment,
  readSegmentName,
} from '../../shared/store/history/recordedChange.ts';
import { createAnnounce } from '../events/announce.ts';
import { createEventBus } from '../events/eventBus.ts';
import { flagsTableFromEnv, requestHandler, requireEnv } from './fromEnv.ts';

const table = flagsTableFromEnv();

/** The history's records in the stream of the flags table. */
export const handler = createAnnounce({
  readChange: (envId, version) => readRecordedChange(table, envId, version),
  readEnvironment: (envId) => readRecordedEnvironment(table, envId),
  readSegmentName: (envId, id) => readSegmentName(table, envId, id),
  putEvents: createEventBus(new EventBridgeClient({ requestHandler }), requireEnv('EVENT_BUS')),
});
