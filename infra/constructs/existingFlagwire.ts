import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { configOf } from '../config/props.ts';
import { FlagsAccess, type FlagsTableAttributes } from './flagsAccess.ts';
import { type ApiUris, type FlagwireAttributes, FlagwireBase } from './flagwireBase.ts';

/** The flags table of a service that another stack or app creates. */
export class ExistingFlags extends FlagsAccess {
  readonly flagsTable: ITableV2;
  readonly usageTable: ITableV2 | undefined;
  readonly environments: Readonly<Record<string, string>>;
  readonly config: Pick<Config, 'kmsKeyArn' | 'missingAttribute'>;

  constructor(scope: Construct, id: string, attributes: FlagsTableAttributes) {
    super(scope, id);
    const { flagsTableArn, usageTableArn, environments = {}, kmsKeyArn, missingAttribute = 'empty' } = attributes;
    this.flagsTable = TableV2.fromTableArn(this, 'Flags', flagsTableArn);
    this.usageTable = usageTableArn === undefined ? undefined : TableV2.fromTableArn(this, 'Usage', usageTableArn);
    this.environments = environments;
    this.config = omitUndefined({ kmsKeyArn, missingAttribute }) as typeof this.config;
  }
}

/** A service that another stack or app creates. */
export class ExistingFlagwire extends FlagwireBase {
  readonly flagsTable: ITableV2;
  readonly connectionsTable: ITableV2 | undefined;
  readonly streamingUrl: string;
  readonly pollingUrl: string;
  readonly environments: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly apiUris: ApiUris;
  readonly usageTable: ITableV2 | undefined;
  readonly #insightStream: string | undefined;

  constructor(scope: Construct, id: string, attributes: FlagwireAttributes) {
    super(scope, id);
    const {
      flagsTableArn,
      connectionsTableArn: connections,
      streamingUrl,
      httpUrl,
      name,
      environments = {},
      insightStream,
      usageTableArn,
      kmsKeyArn,
      missingAttribute,
    } = attributes;
    this.flagsTable = TableV2.fromTableArn(this, 'Flags', flagsTableArn);
    this.connectionsTable = connections ? TableV2.fromTableArn(this, 'Connections', connections) : undefined;
    this.usageTable = usageTableArn === undefined ? undefined : TableV2.fromTableArn(this, 'Usage', usageTableArn);
    this.streamingUrl = streamingUrl;
    this.pollingUrl = httpUrl;
    this.apiUris = { streaming: streamingUrl, http: httpUrl };
    this.environments = environments;
    this.config = configOf(this, omitUndefined({ name, kmsKeyArn, missingAttribute }));
    this.#insightStream = insightStream;
  }

  get insightStream(): string {
    if (this.#insightStream !== undefined) return this.#insightStream;
    throw new Error(`${this.node.path} needs the attribute insightStream: a FlagwireHost writes SDK events to it`);
  }
}
