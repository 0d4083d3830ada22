import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  NoSuchResourceException,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { namedRegion } from '../../shared/runtime/awsRegion.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import type { Config } from '../config/config.ts';
import { type Unread, unreadCollector } from './finding.ts';
import { type AccountLimits, QUOTAS, type Quota } from './quotas.ts';

/** The account's limits, and those that could not be read. */
interface ReadAccount {
  readonly limits: AccountLimits;
  readonly unread: readonly Unread[];
}

/** Times are short, because a deployment waits: a call without an answer counts as unread. In milliseconds. */
export const TIMEOUTS = { connectionTimeout: 3_000, requestTimeout: 5_000 };

/** Settings of the clients of a deployment. */
export function clientSettings(region: string) {
  return { region, maxAttempts: 2, requestHandler: throughProxy(TIMEOUTS) };
}

/**
 * The region of the environment variables, or of the AWS profile.
 *
 * @returns undefined if there is none
 */
export async function regionOf(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return namedRegion(env) ?? new LambdaClient().config.region().catch(() => undefined);
}

/**
 * Reads the account's limits, that of Fargate only if the deployment has tasks. Needs `lambda:GetAccountSettings` and `servicequotas:Get*`.
 */
export async function readAccount(region: string, { fargate }: Pick<Config, 'fargate'>): Promise<ReadAccount> {
  const lambda = new LambdaClient(clientSettings(region));
  const quotas = new ServiceQuotasClient(clientSettings(region));
  const { read, unread } = unreadCollector();
  const wanted = ['throttleRate', 'throttleBurst', ...(fargate ? (['fargateVcpus'] as const) : [])] as const;
  const readWanted = async (name: keyof typeof QUOTAS) => {
    const quota = QUOTAS[name];
    return [name, await read(quota.what, 'servicequotas:GetServiceQuota', readQuota(quotas, quota))] as const;
  };
  const [settings, ...values] = await Promise.all([
    read(QUOTAS.concurrency.what, 'lambda:GetAccountSettings', lambda.send(new GetAccountSettingsCommand())),
    ...wanted.map(readWanted),
  ]);
  const concurrency = settings?.AccountLimit?.ConcurrentExecutions;
  return { limits: { region, ...omitUndefined({ concurrency, ...Object.fromEntries(values) }) }, unread };
}

/** A quota's value: the account's own, or AWS's default. */
async function readQuota(client: ServiceQuotasClient, { service, code }: Quota): Promise<number | undefined> {
  const input = { ServiceCode: service, QuotaCode: code };
  const { Quota: found } = await client.send(new GetServiceQuotaCommand(input)).catch((error) => {
    if (!(error instanceof NoSuchResourceException)) throw error;
    return client.send(new GetAWSDefaultServiceQuotaCommand(input));
  });
  return found?.Value;
}
