import type { Config } from './config.ts';

/** Prefix of all names of a deployment: stacks, alarms, dashboards, APIs. No other name and stage result in the same prefix. */
export function deploymentName({ name, stage, deployment }: Pick<Config, 'name' | 'stage' | 'deployment'>): string {
  return deployment ?? `${name}-${stage}`;
}

/** Maximum length of a deployment's name: API Gateway limits names of APIs to 128 characters, such as `<name>-streaming`. */
export const MAX_DEPLOYMENT_NAME = 118;
