import { ownCommand } from '../../../shared/runtime/ownCommand.ts';
import { FAST_POLL_SECONDS, POLL_INTERVAL_MS } from '../../prices/serviceFacts.ts';
import type { Workload } from '../workload/workload.ts';

/** Settings of a deployment that are not its defaults, by the names that `npm run deploy -- --set` takes. */
export type DeploySettings = Readonly<Record<string, string | number | boolean>>;

/** The stage of the commands: with alarms, access logs, and data that stays. */
export const STAGE = 'prod';

/** CloudFront takes certificates of this region only. */
export const CLOUDFRONT_REGION = 'us-east-1';

/** The command that deploys what was priced. The user replaces its words `YOUR_…`, which shells read as plain text. */
export function deployCommand({ region, lean, accessLogs, pongs }: Workload, settings: DeploySettings): string {
  const all: DeploySettings = {
    region,
    ...(lean ? { lean } : {}),
    ...(accessLogs ? {} : { streamingAccessLogs: 'off' }),
    ...(pongs ? {} : { pongs }),
    ...settings,
  };
  const assignments = Object.entries(all).map(([key, value]) => ` --set ${key}=${value}`);
  const command = `npm run deploy -- ${STAGE}${assignments.join('')}`;
  if (!globalThis.IN_PACKAGE) return command;
  // The template in the package has no other settings.
  return assignments.length === 1
    ? ownCommand('deploy', `--region ${region}`)
    : `${command}  # in a clone of the repository`;
}

/** Settings that hosts on machines and on Fargate share. @param certificateRegion where the certificate has to be */
export function hostSettings(group: 'host' | 'fargate', workload: Workload, certificateRegion: string): DeploySettings {
  return {
    ...(workload.tls ? nameSettings(`${group}.tls`, certificateRegion) : { [`${group}.allowInsecure`]: true }),
    ...pollSettings(group, workload),
  };
}

/** A name with a certificate, which users replace by their own. */
export function nameSettings(group: string, certificateRegion: string): DeploySettings {
  return {
    [`${group}.domainName`]: 'YOUR_DOMAIN',
    [`${group}.certificateArn`]: `arn:aws:acm:${certificateRegion}:YOUR_ACCOUNT:certificate/YOUR_CERTIFICATE`,
  };
}

/** How often hosts poll, where it is not the default. */
export function pollSettings(group: 'host' | 'fargate', { pollIntervalMs, fastPollSeconds }: Workload): DeploySettings {
  return {
    ...(pollIntervalMs === POLL_INTERVAL_MS ? {} : { [`${group}.pollIntervalMs`]: pollIntervalMs }),
    ...(fastPollSeconds === FAST_POLL_SECONDS ? {} : { [`${group}.fastPollSeconds`]: fastPollSeconds }),
  };
}
