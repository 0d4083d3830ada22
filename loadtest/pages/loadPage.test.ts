import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeRunsOf } from '../testing/campaigns.ts';
import { loadPage } from './loadPage.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-load-page-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test.each([
  ['reference', 'data-syncs answered, each checked flag by flag: 100'],
  ['sdks', 'data-syncs answered, full ones of client SDKs checked flag by flag, documents of server SDKs counted: 100'],
])('%s says of its answers what was checked', (scenario, said) => {
  expect(loadPage([makeRunsOf(directory, [20], { scenario })])).toContain(`\n- ${said}\n`);
});
