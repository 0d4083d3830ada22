import type { EntryState, WantedEntries } from './entryState.ts';
import type { Finding } from './finding.ts';

/** Problems with the entries that AWS would report after minutes, each with the way out. */
export function entryFindings(wanted: WantedEntries, state: EntryState, region: string): Finding[] {
  return [
    ...wanted.certificates.flatMap((certificate) => certificateFindings(certificate, state)),
    ...state.missingSecrets.map((name) =>
      refused(
        `CloudFormation will not find the secret ${name} of frontDoor.secrets in ${region}. Create it: aws secretsmanager create-secret --name ${name} --secret-string "$(openssl rand -hex 32)" --region ${region}`,
      ),
    ),
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

function refused(text: string): Finding {
  return { isRefused: true, text };
}
