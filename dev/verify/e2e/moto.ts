import { join } from 'node:path';
import type { Template, TemplateResource } from '../../../infra/inProcess.ts';
import { freePort } from '../../support/freePort.ts';
import { GuardedServer } from './guarded.ts';

/** The emulator that makes what ministack does not, EC2 instances among it; from PyPI. */
export const moto = { name: 'moto', requirements: join(import.meta.dirname, 'moto.requirements.txt') };

/** A running moto on a port of 127.0.0.1. */
export interface Moto {
  readonly endpoint: string;
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts it and waits until it answers.
 *
 * @param commands the directory with the command `moto_server`
 * @throws Error naming its log when it ends before, or does not answer
 */
export async function startMoto(commands: string): Promise<Moto> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await GuardedServer.start({
    name: 'moto',
    command: [join(commands, 'moto_server'), '-H', '127.0.0.1', '-p', String(port)],
    environment: () => process.env,
    healthUrl: `${endpoint}/moto-api/`,
  });
  const environment = { AWS_ACCESS_KEY_ID: 'test', AWS_REGION: 'us-east-1' };
  return { endpoint, environment, stop: () => server.close() };
}

const NOT_MADE = [
  'Custom::S3AutoDeleteObjects',
  'AWS::Lambda::Function',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Events::Rule',
];

/**
 * Templates that moto can make: machines with an image that it has, as it takes none from launch templates; tables of the type that it knows, as
 * it makes no global tables; and buckets without CDK's function that empties them, whose code nobody has published there.
 */
export function forMoto(templates: Readonly<Record<string, Template>>): Record<string, Template> {
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => {
      const resources = Object.entries(template.Resources).filter(([, { Type }]) => !NOT_MADE.includes(Type));
      return [
        name,
        { ...template, Resources: Object.fromEntries(resources.map(([id, each]) => [id, madeByMoto(each)])) },
      ];
    }),
  );
}

function madeByMoto(resource: TemplateResource): TemplateResource {
  if (resource.Type === 'AWS::EC2::Instance')
    return { ...resource, Properties: { ImageId: 'ami-03cf127a', ...resource.Properties } };
  if (resource.Type !== 'AWS::DynamoDB::GlobalTable') return resource;
  const { Replicas: _, ...properties } = resource.Properties ?? {};
  return { ...resource, Type: 'AWS::DynamoDB::Table', Properties: properties };
}
