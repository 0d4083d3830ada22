import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { synthesizedTemplates } from '../../../../infra/testing/synthesizedTemplates.ts';
import { setTimeouts } from '../../../../shared/testing/until.ts';
import { conformanceCases } from '../cases/all.ts';
import { type EmulatedStack, startStack } from '../emulated.ts';
import { MUTATIONS, mutate, UNCHANGED } from './mutations.ts';

/* The suite on stacks that lack a part each, as template.suite.ts runs it: every case that needs the part must fail. */

jest.setTimeout(40_000);
// Most of what is run here waits in vain.
setTimeouts({ message: 3_000, condition: 3_000 });

describe.each(Object.keys({ ...MUTATIONS, [UNCHANGED]: undefined }))('without %s:', (name) => {
  let stack: EmulatedStack;
  beforeAll(async () => {
    const mutation = MUTATIONS[name];
    const templates = synthesizedTemplates();
    stack = await startStack(mutation ? mutate(templates, mutation) : templates);
  });
  afterAll(() => stack.close());

  conformanceCases(() => stack);
});
