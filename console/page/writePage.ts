import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildPage } from './build.ts';
import { recordPage } from './recordedPage.ts';

/*
 * Writes the page into a file, for the function that serves it.
 */
const [file = ''] = process.argv.slice(2);
const folder = dirname(file);
// Another synthesis may be reading the folder.
const part = `${folder}-${process.pid}.part`;
mkdirSync(folder, { recursive: true });
writeFileSync(part, recordPage(await buildPage()));
renameSync(part, file);
