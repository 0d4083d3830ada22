import type { Template } from '../../../infra/inProcess.ts';

/**
 * A template as lines to compare: `<resource>: <type>`, then one line for each property. It omits CDK's hashes of names and assets,
 * the order of keys, the name of the stage, the version, and tags. Other tests check alarms and the body of the dashboard.
 */
export function outlineTemplate({ Resources, Outputs = {} }: Template, stage: string): string[] {
  const resources = Object.entries(Resources)
    .filter(([, { Type }]) => Type !== 'AWS::CloudWatch::Alarm')
    .flatMap(([id, { Type, Properties = {}, DeletionPolicy, DependsOn }]) => {
      const { Tags: _, DashboardBody: __, ...properties } = Properties;
      const rest = {
        ...(DeletionPolicy && { DeletionPolicy }),
        ...(DependsOn && { DependsOn: [DependsOn].flat().sort() }),
      };
      const lines = Object.entries({ ...properties, ...rest }).map(
        ([name, value]) => `${id}.${name}: ${render(value)}`,
      );
      return [`${id}: ${Type}`, ...lines];
    });
  const outputs = Object.entries(Outputs)
    .filter(([, { Export }]) => Export === undefined)
    .map(([name, { Value }]) => `output ${name}: ${render(Value)}`);
  return [...resources, ...outputs].map((line) => withoutNoise(line, stage));
}

/** The lines that only one of two outlines has: `-` those of the first, `+` those of the second. */
export function differences(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

function render(value: unknown): string {
  return JSON.stringify(shorten(value)).replaceAll('\\"', "'").replaceAll('"', '');
}

/** References get short, `{Id}` and `{Id.Attribute}`, and joined texts get one text. */
function shorten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shorten);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const [[key, argument] = ['', undefined]] = entries;
  if (key === 'Ref') return `{${argument}}`;
  if (key === 'Fn::GetAtt') return `{${(argument as string[]).join('.')}}`;
  if (key === 'Fn::Sub') return String(argument).replaceAll('${', '{');
  if (key === 'Fn::ImportValue') return `{import ${argument}}`;
  if (key === 'Fn::Join') return (argument as [string, unknown[]])[1].map(shorten).join('');
  return Object.fromEntries(entries.map(([name, part]) => [name, shorten(part)]));
}

function withoutNoise(line: string, stage: string): string {
  return line
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(/(?<=SERVICE_VERSION:)[\w.+-]+/g, '<version>')
    .replaceAll(/(?<=CurrentVersion)[0-9A-F]{8}[0-9a-f]{32}/g, '')
    .replaceAll(/(?<=Instance)[0-9A-F]{8}[0-9a-f]{16}/g, '')
    .replaceAll(/(?<=[A-Za-z])([0-9A-F]{8}){1,2}(?![0-9a-z])/g, '')
    .replaceAll(new RegExp(`(?<=[Ff]lagwire-?|STAGE:)${stage}`, 'g'), '<stage>');
}
