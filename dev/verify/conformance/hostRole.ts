import { readConfig } from '../../../infra/config/config.ts';
import type { Template } from '../../../infra/inProcess.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import type { LocalStack } from '../../emulator/emulator.ts';
import type { AccessKey } from '../../emulator/iam/identities.ts';

/** Deployment of a host. */
export type HostKind = 'machine' | 'task';

const config = readConfig({ host: true, fargate: true });

/** The stacks' templates, with those of both kinds of hosts. */
export const withHosts = (): Record<string, Template> => synthesizedTemplates(config);

/** An access key for the role that a host has on AWS. */
export function assumeHostRole(stack: Pick<LocalStack, 'assumeRole'>, kind: HostKind): AccessKey {
  const templates = Object.entries(withHosts());
  const [path] = templates.flatMap(([name, template]) => roleIds(template, kind).map((id) => `${name}/${id}`));
  if (path === undefined) throw new Error(`the templates have no role for a ${kind}`);
  return stack.assumeRole(path);
}

/** The environment variables of a host that runs under its role on AWS, and writes insight events to its stream there. */
export function hostVariables(
  stack: Pick<LocalStack, 'assumeRole' | 'environment'>,
  kind: HostKind,
): Record<string, string> {
  const { accessKeyId, secretAccessKey } = assumeHostRole(stack, kind);
  const { AWS_ENDPOINT_URL_FIREHOSE = '', INSIGHT_STREAM = '', USAGE_TABLE = '' } = stack.environment;
  return {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_FIREHOSE,
    INSIGHT_STREAM,
    USAGE_TABLE,
  };
}

/** The logical ids of the roles that a template gives to machines or to tasks. */
function roleIds({ Resources }: Template, kind: HostKind): string[] {
  const propertiesOf = (type: string) =>
    Object.values(Resources).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));
  if (kind === 'task')
    return propertiesOf('AWS::ECS::TaskDefinition').flatMap(({ TaskRoleArn }) => {
      const { 'Fn::GetAtt': attribute } = TaskRoleArn as { 'Fn::GetAtt': string[] };
      return attribute.slice(0, 1);
    });
  return propertiesOf('AWS::IAM::InstanceProfile').flatMap(({ Roles }) =>
    (Roles as { Ref: string }[]).map(({ Ref }) => Ref),
  );
}
