import { expect } from '@jest/globals';
import type { Template, TemplateResource } from '../../../infra/inProcess.ts';
import { type AwsProfile, awsProfiles } from '../../emulator/awsProfiles.ts';
import type { LocalOptions } from '../../emulator/emulator.ts';
import type { Received } from '../../support/rawSocket.ts';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';

/** Templates by the names of their stacks. */
export type Templates = Readonly<Record<string, Template>>;

/** Replaced or added fields of a resource. */
export type Changes = Pick<TemplateResource, 'Properties' | 'Metadata'>;

/** The stacks on an emulator that refuses, and what it said in its log. */
interface RefusingStack extends EmulatedStack {
  readonly log: readonly string[];
}

/** Starts a stack with short retries of queues and streams. @param aws differences from AWS's default quotas */
export async function startRefusing(
  templates: LocalOptions['templates'],
  aws: Partial<AwsProfile> = {},
): Promise<RefusingStack> {
  const log: string[] = [];
  const options = { aws: { ...awsProfiles.default, ...aws }, backOff: () => 50, log: (line: string) => log.push(line) };
  return { ...(await startStack(templates, options)), log };
}

/** Expects API Gateway's own error message for a route without an answer. SDKs ignore it. */
export function expectErrorFrame(received: Received, message: string): void {
  expect(received).toEqual({ message, connectionId: expect.any(String), requestId: expect.any(String) });
}

/** Templates in which the resources that `matches` picks are changed. @throws Error when it picks none */
export function withResources(
  templates: Templates,
  matches: (resource: TemplateResource) => boolean,
  { Properties, Metadata }: Changes,
): Templates {
  if (!Object.values(templates).some(({ Resources }) => Object.values(Resources).some(matches))) {
    throw new Error('no resource of the templates is to be changed');
  }
  const change = (resource: TemplateResource): TemplateResource => ({
    ...resource,
    Properties: { ...resource.Properties, ...Properties },
    Metadata: { ...resource.Metadata, ...Metadata },
  });
  const changed = ({ Resources, ...template }: Template): Template => {
    const resources = Object.entries(Resources).map(([id, each]) => [id, matches(each) ? change(each) : each]);
    return { ...template, Resources: Object.fromEntries(resources) };
  };
  return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, changed(template)]));
}
