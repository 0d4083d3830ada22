import type { Template, Templates } from './template.ts';

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
