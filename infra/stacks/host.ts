import { AspectPriority, Aspects, Stack, type StackProps, TagManager } from 'aws-cdk-lib/core';
import type { Construct, IConstruct } from 'constructs';
import { FlagwireHost, type FlagwireHostProps } from '../constructs/flagwireHost.ts';
import { addOutputs } from '../constructs/outputs.ts';

/** The same service on machines or on Fargate, with the same flags. */
export class HostStack extends Stack {
  readonly host: FlagwireHost;

  constructor(scope: Construct, id: string, host: FlagwireHostProps, props: StackProps) {
    super(scope, id, props);
    this.host = new FlagwireHost(this, 'Default', host);
    addOutputs(this, this.host.outputs);
    Aspects.of(this).add({ visit: shortenName }, { priority: AspectPriority.READONLY - 1 });
  }
}

/** A priority above that of tags that CDK adds. */
const OVER_CDK = 1_000;

/** Removes the ids that logical ids do not contain from the tag `Name`, by which consoles show machines and networks. */
function shortenName(node: IConstruct): void {
  const tags = TagManager.of(node);
  const name = tags?.tagValues()['Name'];
  if (name !== undefined) tags?.setTag('Name', name.replaceAll('/Default', ''), OVER_CDK);
}
