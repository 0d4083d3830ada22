import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { recordUncounted } from '../../shared/store/usage/uncounted.ts';
import { declareEnvironments } from './declareEnvironments.ts';
import { requireEnv } from './fromEnv.ts';

const table = { client: createDynamoDb(), name: requireEnv('FLAGS_TABLE'), effects: systemEffects };
const { environments } = openStore({ client: table.client, flags: table.name });
const record = recordUncounted.bind(undefined, table);

/** The handler of the custom resource that declares environments. The response goes to a presigned URL of S3. */
export const handler = declareEnvironments(environments, record, async (url, response) => {
  const body = JSON.stringify(response);
  // The signature of the URL covers an empty content type.
  const answered = await fetch(url, { method: 'PUT', body, headers: { 'content-type': '' } });
  if (!answered.ok) throw new Error(`CloudFormation's response URL answered with ${answered.status}`);
});
