import { ignoreBrokenPipe } from '../../shared/command/brokenPipe.ts';
import { writeError } from '../../shared/command/npmCommand.ts';
import { useNamedRegion } from '../../shared/runtime/awsRegion.ts';
import { runCost } from './runCost.ts';

/** `npm run cost`. */
ignoreBrokenPipe();
useNamedRegion();
const exitCode = await runCost(process.argv.slice(2), { out: console.log, err: writeError });
if (exitCode !== 0) process.exitCode = exitCode;
