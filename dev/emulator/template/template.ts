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
