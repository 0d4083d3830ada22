import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import packageJson from '../../../package.json' with { type: 'json' };
import { postRates } from '../../config/postRates.ts';
import { ENVIRONMENT_ITEMS, READING } from '../onItems.ts';
import { ServiceFunction } from '../serviceFunction.ts';
import type { PushProps } from './pushPipeline.ts';

/**
 * Adds what searches every minute for unanswered connections and due revocations: schedule → Heal → `@connections`.
 *
 * @param revocations their queue
 */
export function addHealing(
  parent: Construct,
  { config, flags, connections, streaming }: PushProps,
  revocations: IQueue,
): ServiceFunction {
  const scope = new Construct(parent, 'Healing');
  const heal = new ServiceFunction(scope, 'Heal', {
    config,
    entry: 'functions/lambda/heal.ts',
    environment: {
      FLAGS_TABLE: flags.tableName,
      CONNECTIONS_TABLE: connections.tableName,
      CONNECTIONS_ENDPOINT: streaming.connectionsEndpoint,
      MISSING_ATTRIBUTE: config.missingAttribute,
      POSTS_PER_SECOND: String(postRates(config).heal),
      SERVICE_VERSION: packageJson.version,
      REVOCATION_QUEUE_URL: revocations.queueUrl,
    },
    timeoutSeconds: 60,
    memoryMb: 512,
  });
  heal.allowItems(READING, flags, ...ENVIRONMENT_ITEMS, 'RELAYS');
  heal.allowItems(['dynamodb:GetItem', 'dynamodb:PutItem'], flags, 'SERVICE');
  heal.allowItems(['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], connections, 'CONN#*');
  heal.allowItems(['dynamodb:Query', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], connections, 'UNANSWERED#*');
  heal.allowItems(['dynamodb:Query', 'dynamodb:DeleteItem'], connections, 'REVOCATIONS');
  heal.allow(['sqs:SendMessage'], [revocations.queueArn]);
  streaming.allowPosting(heal);
  streaming.allowEnding(heal);
  heal.callEveryMinute(scope);
  return heal;
}
