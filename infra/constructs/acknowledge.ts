import { Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges a finding of the AWS Solutions checks (cdk-nag) with a reason, for the construct and everything below it. dev/verify/checks
 * runs the checks, and fails on findings without acknowledgement.
 *
 * @param finding a rule, e.g. `AwsSolutions-S1`; or one finding of it, as the checks name it: `AwsSolutions-IAM5[Action::s3:*]`
 * @param reason a full sentence
 */
export function acknowledge(construct: IConstruct, finding: string, reason: string): void {
  // Older versions of CDK, which flagwire-cdk supports, have no Validations.
  Validations?.of(construct).acknowledge({ id: finding, reason });
}

/**
 * Acknowledges that an IAM statement names a pattern with `*` at its end instead of one resource. The checks write `<Reference>` for each
 * value that is unknown before the deployment.
 *
 * @param resource the pattern, as in the statement
 */
export function acknowledgePattern(construct: IConstruct, resource: string, reason: string): void {
  const quoted = quote(Stack.of(construct).resolve(resource));
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${quoted}]`, reason);
}

/** Acknowledges that an IAM statement names all resources. */
export function acknowledgeAll(construct: IConstruct, reason: string): void {
  acknowledge(construct, 'AwsSolutions-IAM5[Resource::*]', reason);
}

function quote(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, unknown>;
  if (Array.isArray(join)) return (join[1] as unknown[]).map(quote).join('');
  return `<${Array.isArray(attribute) ? attribute.join('.') : String(Ref)}>`;
}
