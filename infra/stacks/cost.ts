import { CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { addCostDashboard, type Design } from '../constructs/cost/costDashboard.ts';

/** The dashboard that compares the cost of the deployed designs. It is a separate stack, because no other stack knows all designs. */
export class CostStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, designs: readonly Design[], props: StackProps) {
    super(scope, id, props);
    // An export in use cannot change: otherwise no machine could be replaced, and no host removed.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const deployment = deploymentName(config);
    const value = addCostDashboard(this, { deployment, designs, lean: config.lean });
    new CfnOutput(this, 'CostDashboardUrl', { value, description: 'What each design costs' });
  }
}
