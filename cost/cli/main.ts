import { ignoreBrokenPipe } from '../../shared/command/brokenPipe.ts';
import { runCost } from './runCost.ts';

/** `npm run cost`. */
ignoreBrokenPipe();
const exitCode = await runCost(process.argv.slice(2), { out: console.log, err: console.error });
if (exitCode !== 0) process.exitCode = exitCode;
