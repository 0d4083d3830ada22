import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config/config.ts';
import { postRates } from '../../config/postRates.ts';
import { ENVIRONMENT_ITEMS, itemsUnder } from '../itemsUnder.ts';
import { ServiceFunction } from '../serviceFunction.ts';
import type { StreamingApi } from '../streaming/streamingApi.ts';

/** The resources that healing uses. */
interface HealingProps {
  readonly config: Config;
  readonly flags: ITableV2;
  readonly connections: ITableV2;
  readonly streaming: StreamingApi;
  readonly revocations: IQueue;
}

/** Searches every minute for unanswered connections and due revocations: schedule → Heal → `@connections`. */
export class Healing extends Construct {
  readonly heal: ServiceFunction;

  constructor(scope: Construct, id: string, { config, flags, connections, streaming, revocations }: HealingProps) {
    super(scope, id);
    const heal = new ServiceFunction(this, 'Heal', {
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
    heal.allow(['dynamodb:GetItem', 'dynamodb:Query'], [flags.tableArn], itemsUnder(...ENVIRONMENT_ITEMS, 'RELAYS'));
    heal.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [flags.tableArn], itemsUnder('SERVICE'));
    heal.allow(
      ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      [connections.tableArn],
    );
    heal.allow(['sqs:SendMessage'], [revocations.queueArn]);
    streaming.allowPosting(heal);
    streaming.allowEnding(heal);
    heal.callEveryMinute(this);
    this.heal = heal;
  }
}
