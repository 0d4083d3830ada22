import {
  type CloudFrontKeyValueStoreClient,
  DescribeKeyValueStoreCommand,
  PutKeyCommand,
} from '@aws-sdk/client-cloudfront-keyvaluestore';
// The client signs with SigV4A only if this is loaded.
import '@aws-sdk/signature-v4a';
import { HINT_KEY, type TierName } from '../../shared/tier/tier.ts';

/**
 * The hint for CloudFront where handshakes go. While it is `gateway`, they do not try the host first.
 *
 * @param KvsARN of the key-value store that the function of the distribution reads
 * @returns a function that writes it in two requests, and throws what CloudFront refuses. AWS charges $1 for 1,000 requests
 */
export function createDoorHint(
  client: CloudFrontKeyValueStoreClient,
  KvsARN: string,
): (tier: TierName) => Promise<void> {
  return async (tier) => {
    // A write must name the version of the store, which only this request returns.
    const { ETag: IfMatch } = await client.send(new DescribeKeyValueStoreCommand({ KvsARN }));
    await client.send(new PutKeyCommand({ KvsARN, Key: HINT_KEY, Value: tier, IfMatch }));
  };
}
