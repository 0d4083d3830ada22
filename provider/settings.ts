import { ProviderFatalError } from '@openfeature/server-sdk';
import { EMPTY_GUID, isGuid } from '../shared/protocol/guid.ts';
import { namedRegion } from '../shared/runtime/awsRegion.ts';
import type { FlagwireProviderOptions } from './options.ts';

/** A table, where its requests go, and how they name it. */
export interface TableSettings {
  readonly name: string;
  /** The ARN, if it was given. DynamoDB takes it in place of the name. */
  readonly id: string;
  readonly region: string;
  readonly endpoint: string;
}

/** The options and environment variables of a provider, checked. */
export interface Settings {
  readonly envId: string;
  readonly table: TableSettings;
  /** Absent if evaluations are not counted. */
  readonly usageTable: TableSettings | undefined;
  readonly maxAgeMs: number;
  readonly waitMs: number;
  readonly isConsistent: boolean;
  readonly missingAttribute: 'empty' | 'no-match';
}

/** Maximum time of a timer, in milliseconds. */
const TIMER_MS = 2 ** 31 - 1;

const NAME = /^[\w.-]{3,255}$/;
const ARN = /^arn:[\w-]+:dynamodb:([\w-]+):\d{12}:table\/([\w.-]{3,255})$/;

/**
 * Reads options and environment variables. An empty text counts as absent.
 *
 * @throws {ProviderFatalError} naming the option that is missing or invalid
 */
export function readSettings(options: FlagwireProviderOptions, env: NodeJS.ProcessEnv): Settings {
  const envId = (options.environment || required(env, 'FLAGS_ENVIRONMENT', 'environment')).toLowerCase();
  if (!isGuid(envId) || envId === EMPTY_GUID) {
    refuse(`FLAGS_ENVIRONMENT must be the id of an environment, which \`flags env list\` prints, but is "${envId}"`);
  }
  const missingAttribute = options.missingAttribute || env['FLAGS_MISSING_ATTRIBUTE'] || 'empty';
  if (missingAttribute !== 'empty' && missingAttribute !== 'no-match') {
    refuse(`FLAGS_MISSING_ATTRIBUTE must be empty or no-match, but is "${missingAttribute}"`);
  }
  const region = options.region || namedRegion(env);
  const endpoint = options.endpoint || env['AWS_ENDPOINT_URL_DYNAMODB'] || env['AWS_ENDPOINT_URL'];
  const table = tableOf(options.table || required(env, 'FLAGS_TABLE', 'table'), 'FLAGS_TABLE', region, endpoint);
  const usageTable = options.usageTable || env['FLAGS_USAGE_TABLE'];
  return {
    envId,
    table,
    usageTable: usageTable ? tableOf(usageTable, 'FLAGS_USAGE_TABLE', table.region, endpoint) : undefined,
    maxAgeMs: duration('maxAgeSeconds', options.maxAgeSeconds ?? 5) * 1_000,
    waitMs: Math.min(duration('waitMs', options.waitMs ?? 250), TIMER_MS),
    isConsistent: options.consistent ?? false,
    missingAttribute,
  };
}

function tableOf(id: string, variable: string, given: string | undefined, url: string | undefined): TableSettings {
  const [, ofArn, name = id] = ARN.exec(id) ?? [];
  if (!NAME.test(name)) refuse(`${variable} must be the name or the ARN of a table, but is "${id}"`);
  const region = ofArn ?? given ?? refuse('no AWS region is set; set AWS_REGION');
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = url ?? `https://dynamodb.${region}.${suffix}`;
  if (!URL.canParse(endpoint) || !/^https?:\/\//.test(endpoint)) {
    refuse(`AWS_ENDPOINT_URL_DYNAMODB must be a URL with http:// or https://, but is "${endpoint}"`);
  }
  return { name, id, region, endpoint };
}

function required(env: NodeJS.ProcessEnv, variable: string, option: string): string {
  return env[variable] || refuse(`${variable} is not set; set it, or the option ${option}`);
}

function duration(option: string, value: number): number {
  return Number.isFinite(value) && value >= 0
    ? value
    : refuse(`${option} must be a number of at least 0, but is ${value}`);
}

function refuse(message: string): never {
  throw new ProviderFatalError(message);
}
