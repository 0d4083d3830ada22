import { join } from 'node:path';
import type { Template, TemplateResource } from '../../../infra/inProcess.ts';
import { freePort } from '../../support/freePort.ts';
import { GuardedServer } from './guarded.ts';

/** An emulator from PyPI with resources that ministack lacks, such as EC2 instances. */
export const moto = { name: 'moto', requirements: join(import.meta.dirname, 'moto.requirements.txt') };

/**
 * Starts it on a port of 127.0.0.1, and waits until it answers.
 *
 * @param commands the directory with the command `moto_server`
 * @throws Error naming its log when it ends before, or does not answer
 */
export async function startMoto(commands: string) {
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
 * Changes templates for moto: machines get an image that it has, because it reads none from launch templates. Global tables become
 * tables. CDK's function that empties buckets is removed, because its code is not there.
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
