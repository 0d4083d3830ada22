import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { patience } from '../../../shared/testing/until.ts';
import { synthesizeTemplates } from '../../cdk/inProcess.ts';
import { type LocalStack, startLocal } from '../../emulator/emulator.ts';
import { conformanceCases } from './cases/all.ts';
import { MUTATIONS, mutate, UNCHANGED } from './mutations.ts';
import type { Target } from './target.ts';

jest.setTimeout(40_000);
// Most of what is run here waits in vain.
Object.assign(patience, { message: 3_000, condition: 3_000 });

describe.each(Object.keys({ ...MUTATIONS, [UNCHANGED]: undefined }))('without %s:', (name) => {
  let stack: LocalStack;
  let target: Target;

  beforeAll(async () => {
    const mutation = MUTATIONS[name];
    const templates = synthesizeTemplates();
    stack = await startLocal({ templates: mutation ? mutate(templates, mutation) : templates, log: () => undefined });
    target = { ...stack, store: openStore({ client: createDynamoDb(), ...stack.tables }) };
  });
  afterAll(async () => {
    target.store.close();
    await stack.close();
  });

  conformanceCases(() => target);
});
