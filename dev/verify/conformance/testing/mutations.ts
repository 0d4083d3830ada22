import type { Template, TemplateResource } from '../../../../infra/inProcess.ts';

/** Templates by the names of their stacks. */
type Templates = Readonly<Record<string, Template>>;

/** Something taken out of the stacks. */
interface Mutation {
  /** The beginning of the full name of a conformance case that cannot pass without it. */
  readonly noticedBy: string;
  /** Selects resources to remove. References to them in `DependsOn` are removed too. */
  readonly removes: (resource: TemplateResource, all: Template['Resources']) => boolean;
}

/** In place of a mutation's name: the templates as they are. */
export const UNCHANGED = 'anything missing';

/** One part after another that the local gateway is told by the template alone. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'the route for everything else': { noticedBy: 'messages no type gets silence', removes: isRoute('$default') },
  'the authorizer': {
    noticedBy: 'authentication of connections tokens, types and versions',
    removes: ({ Type }) => Type === 'AWS::ApiGatewayV2::Authorizer',
  },
  'the route response of ping': { noticedBy: 'messages a ping with {}', removes: isResponseOf('ping') },
  'the route response of everything else': { noticedBy: 'messages echo of "hi"', removes: isResponseOf('$default') },
  'the pong': {
    noticedBy: 'messages a ping with {}',
    removes: ({ Type, Properties }) =>
      Type === 'AWS::ApiGatewayV2::IntegrationResponse' && 'ResponseTemplates' in (Properties ?? {}),
  },
  'the mapping of stream and queue to functions': {
    noticedBy: 'push creating, switching',
    removes: ({ Type }) => Type === 'AWS::Lambda::EventSourceMapping',
  },
};

/** The templates without what a mutation removes. */
export function mutate(templates: Templates, { removes }: Mutation): Templates {
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => {
      const all = Object.entries(template.Resources);
      const removed = new Set(all.filter(([, resource]) => removes(resource, template.Resources)).map(([id]) => id));
      const kept = all.filter(([id]) => !removed.has(id)).map(([id, resource]) => [id, without(resource, removed)]);
      return [name, { ...template, Resources: Object.fromEntries(kept) }];
    }),
  );
}

function without(resource: TemplateResource, removed: ReadonlySet<string>): TemplateResource {
  const { DependsOn, Properties = {} } = resource;
  const kept = Object.entries(Properties).filter(([, value]) => !removed.has((value as { Ref?: string })?.Ref ?? ''));
  const properties = Object.fromEntries(kept);
  const isUnguarded = 'AuthorizerId' in Properties && !('AuthorizerId' in properties);
  return {
    ...resource,
    Properties: { ...properties, ...(isUnguarded ? { AuthorizationType: 'NONE' } : {}) },
    ...(DependsOn ? { DependsOn: [DependsOn].flat().filter((id) => !removed.has(id)) } : {}),
  };
}

function isRoute(routeKey: string): Mutation['removes'] {
  return ({ Type, Properties }, all) =>
    (Type === 'AWS::ApiGatewayV2::Route' && Properties?.['RouteKey'] === routeKey && isOfWebSocket(Properties, all)) ||
    isResponseOf(routeKey)({ Type, ...(Properties ? { Properties } : {}) }, all);
}

function isResponseOf(routeKey: string): Mutation['removes'] {
  return ({ Type, Properties }, all) => {
    const { Ref: route } = (Properties?.['RouteId'] ?? {}) as { Ref?: string };
    return Type === 'AWS::ApiGatewayV2::RouteResponse' && all[route ?? '']?.Properties?.['RouteKey'] === routeKey;
  };
}

function isOfWebSocket(properties: Readonly<Record<string, unknown>>, all: Template['Resources']): boolean {
  const { Ref: api } = properties['ApiId'] as { Ref: string };
  return all[api]?.Properties?.['ProtocolType'] === 'WEBSOCKET';
}
