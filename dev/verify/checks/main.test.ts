import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { RunningProcess } from '../../support/runningProcess.ts';

/** Runs `npm run check -- templates` where no program is on the path. */
async function checkTemplates(environment: NodeJS.ProcessEnv) {
  const command = [process.execPath, join(import.meta.dirname, 'main.ts'), 'templates'] as const;
  const check = new RunningProcess(command, { environment: { PATH: '/nowhere', ...environment } });
  return [await check.ended, check.output];
}

const LACKS_PYTHON = 'there is no python3 on the path: install Python 3.10 or newer\n';

test('a check whose requirement is missing is skipped, which the last line says', async () => {
  expect(await checkTemplates({})).toEqual([0, `skipped: 1 check of templates: ${LACKS_PYTHON}`]);
});

test('a check whose requirement is missing fails if CI is set', async () => {
  expect(await checkTemplates({ CI: '1' })).toEqual([1, `${LACKS_PYTHON}npm run check: failed: templates\n`]);
});
