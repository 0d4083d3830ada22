import { ignoreBrokenPipe } from '../shared/command/brokenPipe.ts';
import { standardIo } from './io.ts';
import { run } from './program.ts';

ignoreBrokenPipe();
process.exitCode = await run(process.argv.slice(2), standardIo);
