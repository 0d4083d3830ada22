import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../../../infra/inProcess.ts';
import { type EmulatorTemplate, forEmulator } from './transform.ts';

/** What of an assembly's manifest is used. */
interface Manifest {
  readonly artifacts: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

/**
 * Transforms every template of a cloud assembly (`cdk.out`) where it lies. The CDK's command takes templates as they are.
 *
 * @param edit changes each template before
 * @returns what became of each, by stack
 */
export function transformAssembly(
  assembly: string,
  edit: (template: Template) => Template = (template) => template,
): Record<string, EmulatorTemplate> {
  const { artifacts }: Manifest = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8'));
  const stacks = Object.entries(artifacts).flatMap(([stackName, { type, properties }]) => {
    if (type !== 'aws:cloudformation:stack' || properties?.templateFile === undefined) return [];
    const file = join(assembly, properties.templateFile);
    const transformed = forEmulator(edit(JSON.parse(readFileSync(file, 'utf8')) as Template));
    writeFileSync(file, JSON.stringify(transformed.template, null, 1));
    return [[stackName, transformed] as const];
  });
  return Object.fromEntries(stacks);
}
