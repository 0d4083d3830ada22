import { afterAll, jest } from '@jest/globals';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import { REMOTE_TARGET, type RemoteTarget } from './suite.ts';

jest.setTimeout(120_000);

const { streamingUrl, httpUrl, flagsTable, environments } = JSON.parse(
  process.env[REMOTE_TARGET] ?? '{}',
) as RemoteTarget;
const store = openStore({ client: createDynamoDb(), flags: flagsTable });

afterAll(() => store.close());

conformanceCases(() => ({ streamingUrl, httpUrl, store, environments }));
