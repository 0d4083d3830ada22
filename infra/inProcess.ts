import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { type Config, readConfig } from './config/config.ts';
import { cdkContext } from './repository.ts';
import { addStacks } from './stacks/addStacks.ts';

/** A resource of a template, unresolved: references are still `Ref`, `Fn::GetAtt`, `Fn::ImportValue`… */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
}

/** The used part of a CloudFormation template. */
export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>>;
}

/** CDK's context for templates alone: no bundles, and no stack traces of constructs, which take a third of a synthesis. */
export const TEMPLATES_ONLY = {
  'aws:cdk:bundling-stacks': [],
  'aws:cdk:disable-creation-stack-traces': true,
  'aws:cdk:disable-stack-trace': true,
};

/**
 * Synthesizes the stacks in this process and without bundling: no esbuild, no credentials, no network, and no file except a temporary
 * directory, which is deleted.
 *
 * The templates are those of `cdk synth` with cdk.json's context, but the functions have no code. The metadata `flagwire:entry` of each
 * names its file.
 *
 * @returns the templates by stack name
 */
export function synthesizeTemplates(config: Config = readConfig()): Record<string, Template> {
  return withSynthesized(config, ({ assembly }) =>
    Object.fromEntries(assembly.stacks.map(({ stackName, template }) => [stackName, template as Template])),
  );
}

/** The app after its synthesis, and the result. */
interface Synthesis {
  readonly app: App;
  readonly assembly: CloudAssembly;
}

/** Synthesizes like {@link synthesizeTemplates}, with access to the whole result while it exists. */
export function withSynthesized<T>(config: Config, look: (synthesized: Synthesis) => T): T {
  return withApp((app) => addStacks(app, config), look);
}

/** Synthesizes these stacks of an app like {@link withSynthesized}. @param context of CDK; without bundles by default */
export function withApp<T>(
  add: (app: App) => unknown,
  look: (synthesized: Synthesis) => T,
  context: Readonly<Record<string, unknown>> = { ...cdkContext(), ...TEMPLATES_ONLY },
): T {
  const outdir = mkdtempSync(join(tmpdir(), 'flagwire-synth-'));
  try {
    const app = new App({
      analyticsReporting: false,
      treeMetadata: false,
      builtinCloudFormationValidation: false,
      context,
      outdir,
    });
    add(app);
    return look({ app, assembly: app.synth() });
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
