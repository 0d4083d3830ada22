import type { Config } from '../config/config.ts';

/** An IAM statement with the effect Allow. */
export interface Statement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: object;
}

/** An IAM policy document. */
export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** The account of a deployment. If it is unknown, any account that is bootstrapped with the default qualifier. */
export type BootstrappedAccount = Partial<Pick<Config, 'account' | 'bootstrapQualifier'>>;

/** The deployment of a policy. If name and stage are unknown, any resource that has these tags. */
export type TaggedDeployment = BootstrappedAccount & Partial<Pick<Config, 'name' | 'stage'>>;

/** A statement that allows actions on resources. */
export function allow(Action: readonly string[], Resource: readonly string[]): Statement {
  return { Effect: 'Allow', Action, Resource };
}
