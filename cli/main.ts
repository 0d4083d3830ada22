import { ignoreBrokenPipe } from '../shared/command/brokenPipe.ts';
import '../shared/runtime/ownCommand.ts';
import { standardIo } from './io.ts';
import { run } from './program.ts';

ignoreBrokenPipe();
if (process.env['FLAGWIRE_COMMAND'] === 'flags') globalThis.HAS_FLAGS_COMMAND = true;
process.exitCode = await run(process.argv.slice(2), standardIo);
