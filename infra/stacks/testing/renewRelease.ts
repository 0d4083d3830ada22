import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentRelease } from './release.ts';

/** Writes the list that release.test.ts compares with anew; when to run it stands there. */
const path = join(import.meta.dirname, '../release.json');
writeFileSync(path, `${JSON.stringify(currentRelease())}\n`);
console.error(`wrote ${path}`);
