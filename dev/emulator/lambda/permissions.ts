import { evaluate } from '../iam/evaluate.ts';
import { localAccount } from '../template/account.ts';
import type { Model } from '../template/resolve.ts';

/** A service that calls a function on behalf of a resource. */
export interface Invoker {
  readonly service: 'apigateway.amazonaws.com' | 'events.amazonaws.com';
  /** The ARN of the route, authorizer or rule. */
  readonly sourceArn: string;
}

/** One statement of a function's own policy, as `AWS::Lambda::Permission` makes it. */
type InvokePermission = ReturnType<typeof readPermissions>[number];

/** Reads which services may call a function. */
export function readPermissions(model: Model, functionName: string) {
  return model
    .resources('AWS::Lambda::Permission')
    .filter((permission) => functionNameIn(String(permission.property('FunctionName'))) === functionName)
    .map((permission) => {
      const [sourceArn, account] = [permission.property('SourceArn'), permission.property('SourceAccount')];
      return {
        principal: String(permission.property('Principal')),
        statement: {
          Effect: 'Allow',
          Action: String(permission.property('Action')),
          Resource: '*',
          Condition: {
            ...(sourceArn !== undefined && { ArnLike: { 'aws:SourceArn': String(sourceArn) } }),
            ...(account !== undefined && { StringEquals: { 'aws:SourceAccount': String(account) } }),
          },
        },
      };
    });
}

/** Checks whether a function's own policy lets a service call it. */
export function mayInvoke(permissions: readonly InvokePermission[], { service, sourceArn }: Invoker): boolean {
  const statements = permissions.filter(({ principal }) => principal === service).map(({ statement }) => statement);
  const context = { 'aws:SourceArn': [sourceArn], 'aws:SourceAccount': [localAccount] };
  return evaluate(statements, { action: 'lambda:InvokeFunction', resource: '*', context }).allowed;
}

/** The name of a function that may be given by its name or ARN, with or without a version or alias behind it. */
export function functionNameIn(nameOrArn: string): string {
  return (nameOrArn.startsWith('arn:') ? nameOrArn.split(':')[6] : nameOrArn.split(':')[0]) ?? '';
}
