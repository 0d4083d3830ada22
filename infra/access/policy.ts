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

/** The deployment of a policy. What is unknown can have any value, but for the qualifier, which is then the default. */
export type Deployment = Partial<Pick<Config, 'account' | 'bootstrapQualifier' | 'name' | 'stage'>>;

/** A statement that allows actions of a service on ARNs. @param verbs names of the actions, separated by spaces */
export function allow(service: string, verbs: string, Resource: string[] = ['*'], Condition?: object): Statement {
  const Action = verbs.split(' ').map((verb) => `${service}:${verb}`);
  return { Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) };
}
