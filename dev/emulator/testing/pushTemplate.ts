import type { Template } from '../template/template.ts';
import { allow, attribute, fn, imported, ref, role } from './resources.ts';

/** Table stream → publish → FIFO queue → deliver, with a dead-letter queue and a failure destination. */
export const pushTemplate: Template = {
  Resources: {
    Role: role(
      allow('*', 'dynamodb:ListStreams'),
      allow(imported('FlagsStream'), 'dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'),
      allow(attribute('PublishFailures', 'Arn'), 'sqs:SendMessage'),
      allow(attribute('PushQueue', 'Arn'), 'sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'),
      allow(attribute('PushQueue', 'Arn'), 'sqs:GetQueueAttributes'),
    ),
    PublishFn: fn('publish.ts', { PUSH_QUEUE_URL: ref('PushQueue') }),
    DeliverFn: fn('deliver.ts'),
    DeadLetters: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    PushQueue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
        VisibilityTimeout: 30,
        RedrivePolicy: { deadLetterTargetArn: attribute('DeadLetters', 'Arn'), maxReceiveCount: 3 },
      },
    },
    PublishFailures: { Type: 'AWS::SQS::Queue' },
    StreamMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 100,
        BisectBatchOnFunctionError: true,
        DestinationConfig: { OnFailure: { Destination: attribute('PublishFailures', 'Arn') } },
        EventSourceArn: imported('FlagsStream'),
        FilterCriteria: {
          Filters: [
            {
              Pattern: JSON.stringify({
                eventName: ['INSERT', 'MODIFY'],
                dynamodb: { NewImage: { kind: { S: ['flag', 'segment'] } } },
              }),
            },
          ],
        },
        FunctionName: ref('PublishFn'),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: 2,
        StartingPosition: 'LATEST',
      },
    },
    QueueMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 10,
        EventSourceArn: attribute('PushQueue', 'Arn'),
        FunctionName: ref('DeliverFn'),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
  },
};
