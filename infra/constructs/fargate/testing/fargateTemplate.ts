import type { Settings } from '../../../config/settingsSchema.ts';
import { onlyResourceOf, type Properties, templateWith } from '../../../stacks/testing/templates.ts';

type FargateSettings = Exclude<Settings['fargate'], boolean | undefined>;

/** Settings by which the balancer speaks TLS. */
export const tls = {
  tls: {
    domainName: 'hosts.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  },
};

/** The template of the stack with hosts on Fargate. */
export const fargateTemplate = (fargate: FargateSettings = {}, settings: Settings = {}) =>
  templateWith('Fargate', { ...settings, fargate });

/** The properties of its one resource of a type. */
export const propertiesOf = (type: string, fargate: FargateSettings = {}): Properties =>
  onlyResourceOf(fargateTemplate(fargate), type).properties;
