import { onlyResourceOf, type Properties, templateWith } from '../../../stacks/testing/templates.ts';

/** Context by which the balancer speaks TLS. */
export const tls = {
  'flagwire:balancerDomainName': 'hosts.example.com',
  'flagwire:balancerCertificateArn':
    'arn:aws:acm:eu-west-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};

/** The template of the stack with hosts on Fargate. */
export const fargateTemplate = (context = {}) => templateWith('Fargate', { 'flagwire:fargate': 'true', ...context });

/** The properties of its one resource of a type. */
export const propertiesOf = (type: string, context = {}): Properties =>
  onlyResourceOf(fargateTemplate(context), type).properties;
