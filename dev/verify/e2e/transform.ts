import type { Template, TemplateResource } from '../../../infra/inProcess.ts';

/** A resource that the emulator's CloudFormation cannot make, as the template had it. */
interface RemovedResource {
  readonly logicalId: string;
  readonly resource: TemplateResource;
}

/** A template for the emulator, and what it lacks of the one that is deployed to AWS. */
export interface EmulatorTemplate {
  readonly template: Template;
  readonly takenOut: readonly RemovedResource[];
}

/** All types that are ever taken out. One that is neither here nor known to the emulator fails the deployment. */
const takenOutTypes = new Set([
  // Unknown to its CloudFormation. They are made through its API after the deployment.
  'AWS::ApiGatewayV2::RouteResponse',
  'AWS::ApiGatewayV2::IntegrationResponse',
  // CDK's function for it takes its S3 client from Lambda's runtime. Buckets go with what is in them here.
  'Custom::S3AutoDeleteObjects',
]);

/**
 * Makes a template that the emulator can deploy: removes resources of the listed types, and every
 * `DependsOn` that names one. The rest is unchanged. A type whose resources refer to a removed one must be listed too.
 */
export function forEmulator(template: Template): EmulatorTemplate {
  const takenOut: RemovedResource[] = [];
  const staying: [string, TemplateResource][] = [];
  for (const [logicalId, resource] of Object.entries(template.Resources)) {
    if (takenOutTypes.has(resource.Type)) takenOut.push({ logicalId, resource });
    else staying.push([logicalId, resource]);
  }
  const gone = new Set(takenOut.map(({ logicalId }) => logicalId));
  const Resources = Object.fromEntries(staying.map(([id, resource]) => [id, withoutDependencies(resource, gone)]));
  return { template: { ...template, Resources }, takenOut };
}

function withoutDependencies(resource: TemplateResource, gone: ReadonlySet<string>): TemplateResource {
  const { DependsOn, ...rest } = resource;
  // CloudFormation also allows a single name.
  const left = [DependsOn ?? []].flat().filter((logicalId) => !gone.has(logicalId));
  return left.length > 0 ? { ...rest, DependsOn: left } : rest;
}
