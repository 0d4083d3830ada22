import { expect } from '@jest/globals';
import { readConfig } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import type { Settings } from '../../config/settingsSchema.ts';
import { entryMetadata } from '../../constructs/lambdaEntry.ts';
import type { Template, TemplateResource } from '../../inProcess.ts';
import { synthesizedTemplates } from '../../testing/synthesizedTemplates.ts';

export { textOf } from './textOf.ts';

const bySettings = new Map<string, Record<string, Template>>();

/** The stacks of a deployment. */
type StackName = 'Data' | 'Serverless' | 'Host' | 'Fargate' | 'Cost';

/** A stack's template, synthesized once per test file and stage. */
export function templateOf(stack: StackName, stage = 'dev'): Template {
  return templateWith(stack, { stage });
}

/** A stack's template with these settings, synthesized once per test file. */
export function templateWith(stack: StackName, settings: Settings): Template {
  const key = JSON.stringify(settings);
  const config = readConfig(settings);
  const templates = bySettings.get(key) ?? synthesizedTemplates(config);
  bySettings.set(key, templates);
  return present(templates[`${deploymentName(config)}-${stack}`], `stack ${stack}`);
}

/** Expects a resource of a type whose properties hold these, on every level; lists are the same. */
export function expectResource(stack: StackName, type: string, properties: Properties): void {
  const all = resourcesOf(templateOf(stack), type).map((resource) => resource.properties);
  expect(all).toContainEqual(holding(properties));
}

function holding(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(holding);
  if (typeof value !== 'object' || value === null) return value;
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, holding(part)])));
}

/** A resource's properties as they stand in the template. */
export type Properties = Readonly<Record<string, unknown>>;

/** A resource with its logical id; one without properties has empty ones. */
interface Resource {
  readonly id: string;
  readonly properties: Properties;
  readonly template: TemplateResource;
}

/** All resources of a type. */
export function resourcesOf(template: Template, type: string): Resource[] {
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, resource]) => ({ id, properties: resource.Properties ?? {}, template: resource }));
}

/** The one resource of a type. @throws Error if there is none, or another */
export function onlyResourceOf(template: Template, type: string): Resource {
  const [resource, ...others] = resourcesOf(template, type);
  if (others.length > 0) throw new Error(`The template has ${others.length + 1} of ${type}.`);
  return present(resource, type);
}

/** The functions of the service: those whose metadata names an entry file. */
export function serviceFunctions(template: Template): Resource[] {
  return resourcesOf(template, 'AWS::Lambda::Function').filter((resource) => resource.template.Metadata);
}

/** The function whose metadata names this entry file. */
export function functionWithEntry(template: Template, entry: string): Resource {
  const found = serviceFunctions(template).find((resource) => resource.template.Metadata?.[entryMetadata] === entry);
  return present(found, `function with entry ${entry}`);
}

function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`The template has no ${what}.`);
  return value;
}
