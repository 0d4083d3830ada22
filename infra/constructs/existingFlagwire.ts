import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { configOf } from '../config/props.ts';
import { FlagwireBase } from './flagwireBase.ts';

/** What identifies an existing service. */
export interface FlagwireAttributes {
  /** ARN of the flags table: `arn:aws:dynamodb:<region>:<account>:table/<output FlagsTableName>`. */
  readonly flagsTableArn: string;
  readonly streamingUrl: string;
  /** URL of the HTTP API: polling and events. */
  readonly httpUrl: string;
  /** Prefix of names, which is a dimension of the metrics: `<name>-<stage>`, such as `Flagwire-prod`, or `FlagwireProps.name`. */
  readonly name: string;
  /**
   * Ids of environments by name.
   *
   * @default grants need ids
   */
  readonly environments?: Readonly<Record<string, string>>;
  /**
   * Name of the delivery stream for SDK events, which a `FlagwireHost` needs.
   *
   * @default no FlagwireHost for this service
   */
  readonly insightStream?: string;
  /**
   * The customer's key that encrypts the table.
   *
   * @default a key of AWS
   */
  readonly kmsKeyArn?: string;
}

/** A service that another stack or app creates. */
export class ExistingFlagwire extends FlagwireBase {
  readonly flagsTable: ITableV2;
  readonly streamingUrl: string;
  readonly pollingUrl: string;
  readonly environments: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly #insightStream: string | undefined;

  constructor(scope: Construct, id: string, attributes: FlagwireAttributes) {
    super(scope, id);
    const { flagsTableArn, streamingUrl, httpUrl, name, environments = {}, insightStream, kmsKeyArn } = attributes;
    this.flagsTable = TableV2.fromTableArn(this, 'Flags', flagsTableArn);
    this.streamingUrl = streamingUrl;
    this.pollingUrl = httpUrl;
    this.environments = environments;
    this.config = configOf(this, omitUndefined({ name, kmsKeyArn }));
    this.#insightStream = insightStream;
  }

  get insightStream(): string {
    if (this.#insightStream !== undefined) return this.#insightStream;
    throw new Error(`${this.node.path} needs the attribute insightStream: a FlagwireHost writes SDK events to it`);
  }
}
