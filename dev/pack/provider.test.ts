import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildProviderModule } from './provider.ts';

/** Maximum size of the code that each start of the provider loads, in bytes. */
const START_BYTES = 75_000;

test('the provider loads little code at the start, without expressions and the AWS SDK', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-provider-'));
  try {
    const { outputs, inputs } = (await buildProviderModule(folder)).metafile;
    const all = Object.entries(outputs);
    const start = all.find(([name]) => name.endsWith('/index.js'))?.[1];
    expect(start?.bytes).toBeLessThan(START_BYTES);
    const later = all.flatMap(([, output]) => (output === start ? [] : Object.keys(output.inputs)));
    const inRe2 = (path: string) => path.startsWith('node_modules/re2js/');
    expect(later.filter((path) => !inRe2(path))).toEqual([
      'shared/evaluation/readExpression.ts',
      'shared/evaluation/expression.ts',
    ]);
    const outside = Object.keys(inputs).filter((path) => !/^(provider|shared|node_modules\/re2js)\//.test(path));
    expect(outside).toEqual([]);
    // An import of these loads Node's fetch.
    const imported = start?.imports.map(({ path }) => path);
    expect(imported).not.toContain('node:http');
    expect(imported).not.toContain('node:https');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
