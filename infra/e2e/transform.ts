import type { Template, TemplateResource } from '../inProcess.ts';

/** A resource that the emulator's CloudFormation cannot make, as the template had it. */
export interface TakenOut {
  readonly logicalId: string;
  readonly resource: TemplateResource;
  readonly why: string;
}

/** A template for the emulator, and what it lacks of the one that is deployed to AWS. */
export interface Transformed {
  readonly template: Template;
  readonly takenOut: readonly TakenOut[];
}

interface Rule {
  readonly type: string;
  /** Which resources of the type; all of them without it. */
  readonly where?: (properties: Readonly<Record<string, unknown>>) => boolean;
  readonly why: string;
}

/** All that is ever taken out. A type that is neither here nor known to the emulator fails the deployment. */
const rules: readonly Rule[] = [
  {
    type: 'AWS::ApiGatewayV2::RouteResponse',
    why: 'unknown to its CloudFormation; made through its API after the deployment',
  },
  {
    type: 'AWS::ApiGatewayV2::IntegrationResponse',
    why: 'unknown to its CloudFormation; made through its API after the deployment',
  },
  {
    type: 'Custom::S3AutoDeleteObjects',
    why: "CDK's function for it takes its S3 client from Lambda's runtime; buckets go with what is in them here",
  },
  {
    type: 'AWS::CloudWatch::Alarm',
    where: ({ Metrics }) => Metrics !== undefined,
    why: 'its alarms know no metric math',
  },
];

/**
 * Makes the template one that the emulator can deploy: resources that the rules name are taken out, and with them every
 * `DependsOn` that names one. All else stays as it is.
 *
 * @throws when what stays refers to what was taken out: it would mean something else, so a rule has to name it too
 */
export function forEmulator(template: Template): Transformed {
  const takenOut: TakenOut[] = [];
  const staying: [string, TemplateResource][] = [];
  for (const [logicalId, resource] of Object.entries(template.Resources)) {
    const rule = rules.find((rule) => applies(rule, resource));
    if (rule) takenOut.push({ logicalId, resource, why: rule.why });
    else staying.push([logicalId, resource]);
  }
  const gone = new Set(takenOut.map(({ logicalId }) => logicalId));
  const Resources = Object.fromEntries(staying.map(([id, resource]) => [id, withoutDependencies(resource, gone)]));
  const rest: Template = { ...template, Resources };
  for (const [logicalId, resource] of Object.entries(Resources)) refuseReferences(logicalId, resource, gone);
  for (const [name, output] of Object.entries(template.Outputs ?? {})) refuseReferences(name, output, gone);
  return { template: rest, takenOut };
}

function applies({ type, where }: Rule, resource: TemplateResource): boolean {
  return resource.Type === type && (where?.(resource.Properties ?? {}) ?? true);
}

function withoutDependencies(resource: TemplateResource, gone: ReadonlySet<string>): TemplateResource {
  const { DependsOn, ...rest } = resource;
  // CloudFormation also allows a single name.
  const left = [DependsOn ?? []].flat().filter((logicalId) => !gone.has(logicalId));
  return left.length > 0 ? { ...rest, DependsOn: left } : rest;
}

function refuseReferences(where: string, value: unknown, gone: ReadonlySet<string>): void {
  const logicalId = referencesOf(value).find((logicalId) => gone.has(logicalId));
  if (logicalId !== undefined)
    throw new Error(
      `${where} refers to ${logicalId}, which the emulator cannot make: add a rule to infra/e2e/transform.ts.`,
    );
}

/** Logical ids that `Ref`, `Fn::GetAtt` and `Fn::Sub` name, however deep. */
function referencesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [String([inner].flat()[0]).split('.', 1)[0] as string];
    const names = key === 'Fn::Sub' ? namesIn(String([inner].flat()[0])) : [];
    return [...names, ...referencesOf(inner)];
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\$\{(\w+)[^}]*\}/g)].map(([, name]) => name as string);
}
