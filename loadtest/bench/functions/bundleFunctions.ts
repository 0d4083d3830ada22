import { join } from 'node:path';
import { bundleFunction } from '../../../infra/bundles.ts';
import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import type { Template } from '../../../infra/inProcess.ts';

/** The bundle of a deployed function. */
export interface FunctionBundle {
  /** Its entry file, from the root of the repository. */
  readonly entry: string;
  /** The path of the bundle. */
  readonly path: string;
  /** The environment variables whose values are in the template. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Bundles each function of the templates. */
export function bundleFunctions(templates: Readonly<Record<string, Template>>): FunctionBundle[] {
  const resources = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources));
  const bundles = resources.flatMap(({ Metadata, Properties }): [string, FunctionBundle][] => {
    const entry = Metadata?.[entryMetadata];
    if (typeof entry !== 'string') return [];
    const { Variables = {} } = (Properties?.['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
    const known = Object.entries(Variables).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
    return [[entry, { entry, path: join(bundleFunction(entry), 'index.mjs'), environment: Object.fromEntries(known) }]];
  });
  return [...new Map(bundles).values()];
}
