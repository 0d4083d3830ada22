import type { Logger } from '@openfeature/server-sdk';
import type { Effects } from '../shared/runtime/effects.ts';
import type { TableRequests } from '../shared/store/table/tableRequests.ts';

/** Options of the provider. Each is optional, and replaces the environment variable in its description. */
export interface FlagwireProviderOptions {
  /** Name or ARN of the flags table. By default, `FLAGS_TABLE`. */
  readonly table?: string | undefined;
  /** Id of the environment. By default, `FLAGS_ENVIRONMENT`. */
  readonly environment?: string | undefined;
  /** Region of the tables, unless their ARNs name it. By default, `AWS_REGION`. */
  readonly region?: string | undefined;
  /** URL of DynamoDB. By default, `AWS_ENDPOINT_URL_DYNAMODB`, or else the region's. */
  readonly endpoint?: string | undefined;
  /** Seconds that flags are used without a look at the table. By default 5. */
  readonly maxAgeSeconds?: number | undefined;
  /** Milliseconds that an evaluation waits for the table when its flags are older than that. By default 250. */
  readonly waitMs?: number | undefined;
  /** Whether the flags are also looked up once in each Lambda invocation, or else in each evaluation. By default false. */
  readonly consistent?: boolean | undefined;
  /** How conditions read a missing attribute, as the service does. By default, `FLAGS_MISSING_ATTRIBUTE`, or else `empty`. */
  readonly missingAttribute?: 'empty' | 'no-match' | undefined;
  /** Name or ARN of the usage table, to count evaluations. By default, `FLAGS_USAGE_TABLE`, or else nothing is counted. */
  readonly usageTable?: string | undefined;
  /** Where lines are logged. By default the console. */
  readonly logger?: Logger | undefined;
  /** @internal For tests: clocks, variables, and requests to both tables. */
  readonly deps?: { readonly effects?: Effects; readonly env?: NodeJS.ProcessEnv; readonly client?: TableRequests };
}
