import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import {
  type App,
  Aws,
  CfnCondition,
  CfnParameter,
  CliCredentialsStackSynthesizer,
  Fn,
  type IStackSynthesizer,
  Stack,
} from 'aws-cdk-lib/core';
import packageJson from '../../package.json' with { type: 'json' };
import { addCostDashboard } from '../constructs/cost/costDashboard.ts';
import { Flagwire } from '../constructs/flagwire.ts';
import { alarmTopicFor } from '../constructs/observability/concern.ts';
import { addOutputs } from '../constructs/outputs.ts';

/**
 * Adds the stack of the release's template to an app. The template is the same for all accounts and regions. Its assets are in
 * the bucket that the parameter `AssetsBucket` names. Other settings change resources in TypeScript, so parameters cannot replace them.
 */
export class ReleaseStack extends Stack {
  constructor(app: App) {
    super(app, 'Flagwire', {
      description: `Flagwire ${packageJson.version}: feature flags over API Gateway and Lambda`,
      // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
      synthesizer: new CliCredentialsStackSynthesizer({
        // biome-ignore lint/suspicious/noTemplateCurlyInString: CDK makes an Fn::Sub of it.
        fileAssetsBucketName: '${AssetsBucket}',
        bucketPrefix: `flagwire-${packageJson.version}/`,
      }) as IStackSynthesizer,
    });
    new CfnParameter(this, 'AssetsBucket', {
      description: `Bucket in the region of the stack, with the files of flagwire-${packageJson.version}-assets.zip`,
    });
    const email = new CfnParameter(this, 'AlarmEmail', { default: '', description: 'Address for alarms (optional)' });
    const hasEmail = new CfnCondition(this, 'HasAlarmEmail', {
      expression: Fn.conditionNot(Fn.conditionEquals(email.valueAsString, '')),
    });
    const alarmTopic = alarmTopicFor(this, email.valueAsString);
    for (const each of alarmTopic.node.findAll())
      if (each instanceof CfnSubscription) each.cfnOptions.condition = hasEmail;

    const flags = new Flagwire(this, 'Default', { name: Aws.STACK_NAME, alarmTopic });
    const costs = addCostDashboard(this, {
      deployment: Aws.STACK_NAME,
      designs: [flags.design],
      lean: false,
    });
    addOutputs(this, {
      ...flags.outputs,
      CostDashboardUrl: { value: costs, description: 'Cost of the service' },
      WebhookUri: { value: flags.webhookUrl, description: 'Base URL of the webhooks of plans' },
      FlagsTableName: { value: flags.flagsTable.tableName, description: 'Table with flags and keys' },
      ConnectionsTableName: { value: flags.connectionsTable.tableName, description: 'Table with open connections' },
      FlagsCli: {
        value: `AWS_REGION=${Aws.REGION} FLAGS_TABLE=${flags.flagsTable.tableName} npx flagwire flags env create production`,
        description: 'Creates an environment, and prints its SDK keys. Run it with credentials for this account',
      },
    });
  }
}
