/**
 * Renders a value of a template as text: references become `{LogicalId}` or `{LogicalId.Attribute}`, without the hashes
 * that CDK appends, and what comes from another stack becomes `{Flags.Arn}` and the like.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[key, argument] = ['', undefined]] = Object.entries(value as Record<string, unknown>);
  if (key === 'Ref') return `{${withoutHash(String(argument))}}`;
  if (key === 'Fn::GetAtt') return `{${(argument as string[]).map(withoutHash).join('.')}}`;
  if (key === 'Fn::Join') return (argument as [string, unknown[]])[1].map(textOf).join('');
  if (key === 'Fn::Sub') return String(argument).replaceAll('${', '{');
  if (key === 'Fn::ImportValue') return fromOtherStack(String(argument));
  if (key === 'Fn::GetStackOutput') return fromOtherStack((argument as { OutputName: string }).OutputName);
  throw new Error(`Not a text: ${JSON.stringify(value)}`);
}

function fromOtherStack(output: string): string {
  const [, id, attribute] = /Output(?:Ref|FnGetAtt)(\w+?)[0-9A-F]{8}(\w*?)[0-9A-F]{8}$/.exec(output) ?? [];
  if (id === undefined) throw new Error(`Not the name of an output: ${output}`);
  return attribute ? `{${id}.${attribute}}` : `{${id}}`;
}

function withoutHash(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
}
