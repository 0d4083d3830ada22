import {
  ApiGatewayV2Client,
  CreateIntegrationResponseCommand,
  CreateRouteResponseCommand,
  UpdateApiCommand,
  type UpdateApiCommandInput,
} from '@aws-sdk/client-apigatewayv2';
import { physicalIds } from './awsCalls.ts';
import type { Emulator } from './emulator.ts';
import type { EmulatorTemplate } from './transform.ts';

/**
 * Creates with API Gateway's API what the emulator's CloudFormation omits: the integration and route responses that were removed
 * from the template, and the CORS configuration of an HTTP API, which it writes under other names.
 */
export async function makeReplies(emulator: Emulator, stackName: string, stack: EmulatorTemplate): Promise<void> {
  const ids = await physicalIds(emulator, stackName);
  const client = new ApiGatewayV2Client(emulator.clientConfig);
  // CloudFormation's names of properties are those of the API's parameters.
  for (const { resource } of stack.takenOut) {
    const input = () => resolved(resource.Properties, ids) as never;
    if (resource.Type === 'AWS::ApiGatewayV2::RouteResponse')
      await client.send(new CreateRouteResponseCommand(input()));
    else if (resource.Type === 'AWS::ApiGatewayV2::IntegrationResponse')
      await client.send(new CreateIntegrationResponseCommand(input()));
  }
  for (const [logicalId, { Type, Properties }] of Object.entries(stack.template.Resources)) {
    const CorsConfiguration = Properties?.['CorsConfiguration'];
    if (Type !== 'AWS::ApiGatewayV2::Api' || CorsConfiguration === undefined) continue;
    const input = resolved({ ApiId: { Ref: logicalId }, CorsConfiguration }, ids) as UpdateApiCommandInput;
    await client.send(new UpdateApiCommand(input));
  }
  client.destroy();
}

/** @throws when there is a reference other than the `Ref` of a resource of the stack */
function resolved(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolved(item, ids));
  if ('Ref' in value) {
    const id = ids.get(String(value.Ref));
    if (id === undefined) throw new Error(`The stack has no resource ${value.Ref}.`);
    // The emulator's name of a route is `<api>/<route>`; what AWS calls its id comes last.
    return id.split('/').at(-1);
  }
  const intrinsic = Object.keys(value).find((key) => key.startsWith('Fn::'));
  if (intrinsic !== undefined) throw new Error(`${intrinsic} cannot be resolved here: ${JSON.stringify(value)}`);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, ids)]));
}
