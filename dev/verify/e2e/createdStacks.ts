import { setTimeout as sleep } from 'node:timers/promises';
import type { Template } from '../../../infra/inProcess.ts';
import { callAws, formRequest } from './awsCalls.ts';
import type { Emulator } from './emulator.ts';

/** A running emulator. */
type EmulatorAccess = Pick<Emulator, 'endpoint' | 'environment'>;

/** Stacks that an emulator's CloudFormation creates from templates. */
export class CreatedStacks {
  readonly #emulator: EmulatorAccess;

  constructor(emulator: EmulatorAccess) {
    this.#emulator = emulator;
  }

  /** Creates a stack. @returns its final status */
  async create(name: string, template: unknown): Promise<string> {
    const stack = { StackName: name, 'Capabilities.member.1': 'CAPABILITY_IAM' };
    await this.#call({ Action: 'CreateStack', TemplateBody: JSON.stringify(template), ...stack });
    for (;;) {
      const status = /<StackStatus>(\w+)</.exec(await this.describe(name))?.[1] ?? '';
      if (!status.endsWith('IN_PROGRESS')) return status;
      await sleep(200);
    }
  }

  /** CloudFormation's description of a stack, with its outputs. */
  describe(name: string): Promise<string> {
    return this.#call({ Action: 'DescribeStacks', StackName: name });
  }

  /** Creates the resources that other stacks refer to: the tables, and exports with the names of the serverless stack's. */
  async createOthers(templates: Readonly<Record<string, Template>>, deployment = 'Flagwire-dev'): Promise<string[]> {
    // The templates read the version of `cdk bootstrap`.
    const body = JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '21', Type: 'String' });
    await callAws(this.#emulator, { service: 'ssm', target: 'AmazonSSM.PutParameter', body });
    const [data, serverless] = [`${deployment}-Data`, `${deployment}-Serverless`];
    const stacks = { [data]: templates[data], [serverless]: exportsOnly(templates[serverless]) };
    const statuses: string[] = [];
    for (const [name, template] of Object.entries(stacks)) statuses.push(await this.create(name, template));
    return statuses;
  }

  #call(parameters: Record<string, string>): Promise<string> {
    return callAws(this.#emulator, formRequest('cloudformation', '2010-05-15', parameters));
  }
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
