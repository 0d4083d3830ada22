import type {
  GetItemCommandInput,
  GetItemCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Effects } from '../../runtime/effects.ts';

/** Requests that go through the AWS SDK (`SdkClient`) or without it (`DirectTable`). Code that uses only these does not load the SDK. */
export interface TableRequests {
  getItem(input: GetItemCommandInput): Promise<Pick<GetItemCommandOutput, 'Item'>>;
  query(input: QueryCommandInput): Promise<Pick<QueryCommandOutput, 'Items' | 'LastEvaluatedKey' | 'ConsumedCapacity'>>;
  updateItem(input: UpdateItemCommandInput, abortSignal: AbortSignal): Promise<unknown>;
}

/** What reading a table needs: its client and name, and its user's clock, randomness and timers. */
export interface ReadTable {
  readonly client: TableRequests;
  readonly name: string;
  readonly effects: Effects;
}
