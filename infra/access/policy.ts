import type { Config } from '../config/config.ts';

/** An IAM statement that allows something. */
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

/** The account of a deployment: any, bootstrapped with the default qualifier, where it is not known. */
export type BootstrappedAccount = Partial<Pick<Config, 'account' | 'bootstrapQualifier'>>;

/** A statement that allows actions on resources. */
export function allow(Action: readonly string[], Resource: readonly string[]): Statement {
  return { Effect: 'Allow', Action, Resource };
}
