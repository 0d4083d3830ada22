import type { Config } from './config.ts';

/** What all names of a deployment begin with: stacks, alarms, dashboards, APIs. Names of no other name and stage begin so. */
export function deploymentName({ name, stage, deployment }: Pick<Config, 'name' | 'stage' | 'deployment'>): string {
  return deployment ?? `${name}-${stage}`;
}

/** The name of the topic that mails the alarms of a deployment. */
export function mailTopicName(config: Pick<Config, 'name' | 'stage' | 'deployment'>): string {
  return `${deploymentName(config)}-alarms`;
}
