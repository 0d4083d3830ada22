/** One resource of a CloudFormation template, as synthesized: nothing resolved. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

/** The part of a CloudFormation template that the emulator reads. */
export interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  /** `Export.Name` is what another stack imports an output by. */
  readonly Outputs?: Readonly<
    Record<string, { readonly Value?: unknown; readonly Export?: { readonly Name: unknown } }>
  >;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

/** The synthesized templates of one app, by stack name. */
export type Templates = Readonly<Record<string, Template>>;

/** The place of a resource: its stack and logical id. */
export interface ResourceLocation {
  readonly stack: string;
  readonly logicalId: string;
}

/** `<stack>/<logicalId>`: how errors and logs name a resource, and the seed of its physical name. */
export function pathOf(location: ResourceLocation): string {
  return `${location.stack}/${location.logicalId}`;
}

/** The templates without functions that use an EC2 instance, and without what names them, such as schedules: the emulator has no EC2. */
export function withoutMachines(templates: Templates): Templates {
  return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, withoutOwnMachines(template)]));
}

function withoutOwnMachines({ Resources = {}, ...template }: Template): Template {
  const all = Object.entries(Resources);
  const idsOf = (isLeft: (type: string, text: string) => boolean) =>
    all.flatMap(([id, { Type, Properties }]) => (isLeft(Type, JSON.stringify(Properties) ?? '') ? [id] : []));
  const namesOne = (text: string, ids: readonly string[]) => ids.some((id) => text.includes(`"${id}"`));
  const machines = idsOf((type) => type === 'AWS::EC2::Instance');
  const functions = idsOf((type, text) => type === 'AWS::Lambda::Function' && namesOne(text, machines));
  const left = new Set([...functions, ...idsOf((_, text) => namesOne(text, functions))]);
  return { ...template, Resources: Object.fromEntries(all.filter(([id]) => !left.has(id))) };
}
