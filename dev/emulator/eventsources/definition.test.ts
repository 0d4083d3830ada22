import { describe, expect, test } from '@jest/globals';
import { readModel } from '../template/resolve.ts';
import { exampleTemplates, withProperties } from '../testing/templates.ts';
import { readEventSources } from './definition.ts';

const addresses = {
  gatewayUrl: '',
  serviceUrl: '',
  streamArn: () => 'arn:aws:dynamodb:us-east-1:0:table/Flags/stream/1',
};
const read = (properties: Record<string, unknown>) =>
  readEventSources(readModel(withProperties(exampleTemplates, 'Push', 'QueueMapping', properties), addresses)).queues;

describe('a queue as an event source', () => {
  test('hands out ten messages at a time, five batches at once, unless the template says otherwise', () => {
    expect(read({ BatchSize: undefined })).toMatchObject([{ batchSize: 10, maxConcurrency: 5 }]);
    const said = { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } };
    expect(read(said)).toMatchObject([{ batchSize: 1, maxConcurrency: 2 }]);
  });

  test.each([
    [{ BatchSize: 11 }, 'Push/QueueMapping: BatchSize 11 is not from 1 to 10'],
    [{ BatchSize: 0 }, 'Push/QueueMapping: BatchSize 0 is not from 1 to 10'],
    [{ ScalingConfig: { MaximumConcurrency: 1 } }, 'Push/QueueMapping: MaximumConcurrency 1 is not from 2 to 1000'],
    [
      { ScalingConfig: { MaximumConcurrency: 1001 } },
      'Push/QueueMapping: MaximumConcurrency 1001 is not from 2 to 1000',
    ],
  ])('%j is refused, as by Lambda', (properties, message) => {
    expect(() => read(properties)).toThrow(message);
  });
});
