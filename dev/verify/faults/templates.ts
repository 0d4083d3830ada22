import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import type { Template, TemplateResource } from '../../../infra/inProcess.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';

/** Templates by the names of their stacks. */
type Templates = Readonly<Record<string, Template>>;

/** Replaced or added fields of a resource. */
type Changes = Pick<TemplateResource, 'Properties' | 'Metadata'>;

/** The stacks' templates with a function changed. @param name of its file in functions/lambda, e.g. `sync` */
export function withFunction(name: string, changes: Changes): Templates {
  const entry = `functions/lambda/${name}.ts`;
  return withResources(synthesizedTemplates(), ({ Metadata }) => Metadata?.[entryMetadata] === entry, changes);
}

/** The stacks' templates with a function that does what `failNext` says (testing/faults.ts). */
export function withFaulty(name: 'sync' | 'publish' | 'deliver', Properties: Changes['Properties'] = {}): Templates {
  return withFunction(name, { Properties, Metadata: { [entryMetadata]: `dev/verify/faults/testing/${name}.ts` } });
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
