import type { Model, Resource } from './resolve.ts';

/** The resources of type `type` that belong to the API `apiId`. */
export function partsOfApi(model: Model, type: string, apiId: string): Resource[] {
  return model.resources(type).filter((part) => part.property('ApiId') === apiId);
}

/** The part whose `Ref` is `id`. @throws Error with `askedBy` and the missing id */
export function partById(parts: readonly Resource[], id: string, askedBy: string): Resource {
  const found = parts.find((part) => part.value() === id);
  if (!found) throw new Error(`${askedBy} refers to "${id}", which is not in the templates`);
  return found;
}

/** The integration id in a route's target, `integrations/<id>`. @throws Error for any other target. */
export function integrationIdOf(route: Resource): string {
  const target = String(route.property('Target') ?? '');
  const id = /^integrations\/(.+)$/.exec(target)?.[1];
  if (id === undefined) throw new Error(`${route.path}: target "${target}" is not "integrations/<id>"`);
  return id;
}

/** The function ARN in an integration or authorizer URI, bare or as API Gateway wraps it. @throws Error for others. */
export function functionArnIn(uri: unknown, askedBy: string): string {
  const found = /arn:aws:lambda:[^/]+/.exec(String(uri))?.[0];
  if (found === undefined) throw new Error(`${askedBy}: "${String(uri)}" names no Lambda function`);
  return found;
}
