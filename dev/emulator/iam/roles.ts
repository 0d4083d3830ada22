import type { Model, Resource } from '../template/resolve.ts';
import type { Statement } from './evaluate.ts';

/** A role of the templates with all that its policies say. */
export type Role = Readonly<ReturnType<typeof roleFrom>>;

interface PolicyDocument {
  readonly Statement?: Statement | readonly Statement[];
}

/**
 * Reads the role that a resource names by its ARN.
 *
 * @throws Error naming a role that is not in the templates, or a managed policy
 */
export function readRole(model: Model, owner: Resource): Role {
  const arn = owner.property('Role');
  const role = model.resources('AWS::IAM::Role').find((candidate) => candidate.value('Arn') === arn);
  if (!role) throw new Error(`${owner.path}: its role "${String(arn)}" is not in the templates`);
  return roleFrom(model, role, () => false);
}

/**
 * Reads a role by its place. Unlike a function's, it may have managed policies of AWS: they allow nothing here.
 *
 * @param path `<stack>/<logicalId>`
 * @throws Error naming a role that is not in the templates, or a managed policy of the account
 */
export function readRoleAt(model: Model, path: string): Role {
  const role = model.resources('AWS::IAM::Role').find((candidate) => candidate.path === path);
  if (!role) throw new Error(`${path}: there is no such role in the templates`);
  return roleFrom(model, role, isOfAws);
}

/** A role with the statements of its trust policy. */
export interface TrustedRole {
  readonly role: Role;
  readonly trust: readonly Statement[];
}

/** Reads a role and who may assume it. @returns undefined if the templates have no role of this ARN */
export function readTrustedRole(model: Model, arn: string): TrustedRole | undefined {
  const found = model.resources('AWS::IAM::Role').find((candidate) => candidate.value('Arn') === arn);
  const trust = found?.property('AssumeRolePolicyDocument') as PolicyDocument | undefined;
  return found && { role: roleFrom(model, found, isOfAws), trust: statementsOf(trust ?? {}) };
}

function isOfAws(arn: string): boolean {
  return /^arn:[\w-]+:iam::aws:policy\//.test(arn);
}

/** @param mayHave whether it may have a managed policy */
function roleFrom(model: Model, role: Resource, mayHave: (arn: string) => boolean) {
  const name = role.value();
  const managed = (role.property('ManagedPolicyArns') ?? []) as string[];
  const unknown = managed.find((arn) => !mayHave(arn));
  if (unknown !== undefined)
    throw new Error(`${role.path}: the emulator does not know the managed policy "${unknown}"`);
  const inline = (role.property('Policies') ?? []) as { PolicyDocument: PolicyDocument }[];
  const attached = model
    .resources('AWS::IAM::Policy')
    .filter((policy) => ((policy.property('Roles') ?? []) as string[]).includes(name));
  const documents = [...inline.map(({ PolicyDocument: document }) => document), ...attached.map(documentOf)];
  return { name, statements: documents.flatMap(statementsOf) };
}

/**
 * The denials of queue policies in the templates. Policies of other resources are not emulated.
 *
 * @throws Error naming a policy that allows something, or speaks of some principals only
 */
export function readQueuePolicies(model: Model): Statement[] {
  return model.resources('AWS::SQS::QueuePolicy').flatMap((policy) =>
    statementsOf(documentOf(policy)).map((statement) => {
      const { Principal } = statement as { Principal?: string | { AWS?: string } };
      const everybody = Principal === '*' || (typeof Principal === 'object' && Principal.AWS === '*');
      if (statement.Effect === 'Deny' && everybody) return statement;
      throw new Error(`${policy.path}: the emulator has no queue policy but one that denies everybody something`);
    }),
  );
}

function documentOf(policy: Resource): PolicyDocument {
  return policy.property('PolicyDocument') as PolicyDocument;
}

function statementsOf({ Statement: statements = [] }: PolicyDocument): readonly Statement[] {
  return 'Effect' in statements ? [statements] : statements;
}
