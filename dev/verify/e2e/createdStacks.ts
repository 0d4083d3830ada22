import { setTimeout as sleep } from 'node:timers/promises';
import type { Template } from '../../../infra/inProcess.ts';
import { callAws, formRequest } from './awsCalls.ts';
import type { Emulator } from './emulator.ts';

/** Stacks that an emulator's CloudFormation creates from templates. */
export function createdStacks(emulator: Emulator) {
  const call = (parameters: Record<string, string>) =>
    callAws(emulator, formRequest('cloudformation', '2010-05-15', parameters));
  /** CloudFormation's description of a stack, with its outputs. */
  const describe = (name: string) => call({ Action: 'DescribeStacks', StackName: name });

  /** Creates a stack. @returns its final status */
  async function create(name: string, template: unknown): Promise<string> {
    const stack = { StackName: name, 'Capabilities.member.1': 'CAPABILITY_IAM' };
    await call({ Action: 'CreateStack', TemplateBody: JSON.stringify(template), ...stack });
    for (;;) {
      const status = /<StackStatus>(\w+)</.exec(await describe(name))?.[1] ?? '';
      if (!status.endsWith('IN_PROGRESS')) return status;
      await sleep(200);
    }
  }

  /** Creates the resources that other stacks refer to: the tables, and exports with the names of the serverless stack's. */
  async function createOthers(templates: Readonly<Record<string, Template>>) {
    // The templates read the version of `cdk bootstrap`.
    const body = JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '21', Type: 'String' });
    await callAws(emulator, { service: 'ssm', target: 'AmazonSSM.PutParameter', body });
    const [data, serverless] = ['Flagwire-dev-Data', 'Flagwire-dev-Serverless'];
    return [await create(data, templates[data]), await create(serverless, exportsOnly(templates[serverless]))];
  }

  return { describe, create, createOthers };
}

/** A template with only the exports of a stack that some emulators cannot create. */
function exportsOnly({ Outputs = {} }: Partial<Template> = {}): Template {
  const exported = Object.entries(Outputs).filter(([, { Export }]) => Export !== undefined);
  return {
    Resources: {
      Nothing: { Type: 'AWS::SSM::Parameter', Properties: { Name: '/flagwire/exports', Type: 'String', Value: '-' } },
    },
    Outputs: Object.fromEntries(exported.map(([name, { Export }]) => [name, { Value: name, Export: Export as never }])),
  };
}
