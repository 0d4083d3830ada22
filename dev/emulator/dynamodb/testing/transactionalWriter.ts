import { startDynamoDb } from '../server.ts';
import { clientOf, createTable } from './client.ts';
import { loadTable, storedCount, writeTransaction } from './transactionalLoad.ts';

/**
 * A process to be killed: opens the data directory of its first argument, lets as many writers as its second says write
 * transactions without end, and prints `<writer> <n>` for each that was acknowledged.
 */
const [path = '', writers = '1'] = process.argv.slice(2);
const dynamoDb = await startDynamoDb({ path });
const client = clientOf(dynamoDb);
await createTable(client, loadTable, 'NEW_AND_OLD_IMAGES').catch((error: Error) => {
  if (error.name !== 'ResourceInUseException') throw error;
});

await Promise.all(
  Array.from({ length: Number(writers) }, async (_, writer) => {
    for (let n = (await storedCount(client, writer)) + 1; ; n++) {
      await writeTransaction(client, writer, n);
      process.stdout.write(`${writer} ${n}\n`);
    }
  }),
);
