import type { EntryState, WantedEntries } from './entryState.ts';
import type { Finding } from './finding.ts';
import { type AccountLimits, QUOTAS, type Quota, requestFor } from './quotas.ts';

/** Problems with the entries that AWS would report after minutes, each with the way out. */
export function entryFindings(wanted: WantedEntries, state: EntryState, limits: AccountLimits): Finding[] {
  const { networks, addresses, balancer } = wanted;
  const { otherNetworks, otherAddresses, hasBalancer } = state;
  const { networks: mostNetworks, addresses: mostAddresses, region } = limits;
  return [
    ...wanted.certificates.flatMap((certificate) => certificateFindings(certificate, state)),
    ...state.missingSecrets.map((name) =>
      refused(
        `CloudFormation will not find the secret ${name} of frontDoor.secrets in ${region}. Create it: aws secretsmanager create-secret --name ${name} --secret-string "$(openssl rand -hex 32)" --region ${region}`,
      ),
    ),
    ...aboveQuota('networks', networks, otherNetworks, mostNetworks, QUOTAS.networks, region),
    ...aboveQuota('public addresses', addresses, otherAddresses, mostAddresses, QUOTAS.addresses, region),
    ...(balancer && hasBalancer === false
      ? [
          {
            isRefused: false,
            // No API says whether an account may have load balancers.
            text: `Elastic Load Balancing may refuse the load balancer: ${region} has none yet, and AWS enables them later in some accounts. If the deployment fails with “This AWS account currently does not support creating load balancers”, open a support case at https://console.aws.amazon.com/support/home and deploy again`,
          },
        ]
      : []),
  ];
}

function certificateFindings(
  { key, arn, names }: WantedEntries['certificates'][number],
  { certificates }: EntryState,
): Finding[] {
  if (!(arn in certificates)) return [];
  const found = certificates[arn];
  if (!found)
    return [
      refused(`The certificate of ${key} does not exist: ${arn}. Request another one (docs/operations/domain.md)`),
    ];
  if (found.status !== 'ISSUED') {
    const wayOut =
      found.status === 'PENDING_VALIDATION'
        ? `Add its validation record to your DNS: aws acm describe-certificate --certificate-arn ${arn} --region ${arn.split(':')[3]}`
        : 'Request another one (docs/operations/domain.md)';
    return [refused(`AWS will refuse the certificate of ${key}: its status is ${found.status}. ${wayOut}`)];
  }
  const missing = names.filter((name) => !found.names.some((covered) => covers(covered, name)));
  if (missing.length === 0) return [];
  return [
    refused(
      `The certificate of ${key} is not for ${missing.join(' and ')}: it is for ${found.names.join(', ')}. Set another name, or request another certificate`,
    ),
  ];
}

/** Whether a name of a certificate applies to a host name. A star stands for one label. */
function covers(covered: string, name: string): boolean {
  const suffix = covered.replace(/^\*\./, '');
  return covered === name || (covered !== suffix && name.slice(name.indexOf('.') + 1) === suffix);
}

function aboveQuota(
  what: string,
  wanted: number,
  others: number | undefined,
  most: number | undefined,
  quota: Quota,
  region: string,
): Finding[] {
  if (wanted === 0 || others === undefined || most === undefined || others + wanted <= most) return [];
  return [
    refused(
      `EC2 will refuse ${wanted} of the ${what}: ${region} has ${others} already, and the quota is ${most}. Delete unused ones, or: ${requestFor(quota, others + wanted, region)}`,
    ),
  ];
}

function refused(text: string): Finding {
  return { isRefused: true, text };
}
