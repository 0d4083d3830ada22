import type { EntryCertificate, EntryState } from './entryState.ts';
import type { Finding } from './finding.ts';

/** Problems with certificates that AWS would report after minutes, each with the way out. */
export function entryFindings({ certificates }: Pick<EntryState, 'certificates'>): Finding[] {
  return certificates.flatMap((certificate) => problemOf(certificate) ?? []).map((text) => ({ isRefused: true, text }));
}

function problemOf({ key, arn, wanted, found }: EntryCertificate): string | undefined {
  if (!found)
    return `The certificate of ${key} does not exist: ${arn}. Request another one (docs/operations/domain.md)`;
  if (found.status !== 'ISSUED') {
    const wayOut =
      found.status === 'PENDING_VALIDATION'
        ? `Add its validation record to your DNS: aws acm describe-certificate --certificate-arn ${arn} --region ${arn.split(':')[3]}`
        : 'Request another one (docs/operations/domain.md)';
    return `AWS will refuse the certificate of ${key}: its status is ${found.status}. ${wayOut}`;
  }
  const missing = wanted.filter((name) => !found.names.some((covered) => covers(covered, name)));
  if (missing.length === 0) return undefined;
  return `The certificate of ${key} is not for ${missing.join(' and ')}: it is for ${found.names.join(', ')}. Set another name, or request another certificate`;
}

/** Whether a name of a certificate applies to a host name. A star stands for one label. */
function covers(covered: string, name: string): boolean {
  const suffix = covered.replace(/^\*\./, '');
  return covered === name || (covered !== suffix && name.slice(name.indexOf('.') + 1) === suffix);
}
