import { npmCommand } from '../../shared/command/npmCommand.ts';
import { writePages } from './pages.ts';

npmCommand(
  'docs',
  'Writes the tables, figures and charts of Markdown pages, from docs/results and the cost model.',
).parse();
const written = writePages();
for (const path of written) console.log(`wrote ${path}`);
if (written.length === 0) console.log('All pages show their figures.');
