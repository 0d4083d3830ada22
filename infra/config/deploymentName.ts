import type { Config } from './config.ts';

/** What all names of a deployment begin with: stacks, alarms, dashboards, APIs. Names of no other name and stage begin so. */
export function deploymentName({ name, stage }: Pick<Config, 'name' | 'stage'>): string {
  return `${name}-${stage}`;
}
