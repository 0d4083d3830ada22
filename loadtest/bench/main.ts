import { fitTerminal } from '../../shared/command/npmCommand.ts';
import { BENCHMARKS } from './benchmark.ts';

/** `npm run bench -- <name> [options]`. */
const [name] = process.argv.splice(2, 1);
const names = Object.keys(BENCHMARKS);
if (name === '--help' || name === '-h') {
  const width = Math.max(...names.map(({ length }) => length));
  const lines = Object.entries(BENCHMARKS).map(([each, description]) => `  ${each.padEnd(width)}  ${description}`);
  console.log(
    fitTerminal(
      `Usage: npm run bench -- <name> [options]\n\nBenchmarks:\n${lines.join('\n')}\n\nnpm run bench -- <name> --help lists the options of a benchmark.`,
    ),
  );
} else if (name !== undefined && names.includes(name)) {
  await import(`./${name}/${name}Benchmark.ts`);
} else {
  console.error(
    `npm run bench: ${name === undefined ? 'no benchmark is given' : `there is no benchmark "${name}"`}. Give one of ${names.join(', ')}.`,
  );
  process.exitCode = 2;
}
