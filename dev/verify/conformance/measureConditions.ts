/*
 * Measures what FeatBit's server-side SDKs make of conditions: `npx node dev/verify/conformance/measureConditions.ts`. It needs Python,
 * Rust, Go and Java, and the variables of clients/conditions.ts.
 */
import { writeFileSync } from 'node:fs';
import { CONDITIONS_FILE, sdkConditions } from '../../../shared/testing/fixtures.ts';
import { answersOf, nodeAnswers, ownAnswers, PROGRAMS } from './clients/conditions.ts';

const { sdks, texts, conditions } = sdkConditions();
const answers = [ownAnswers(), await nodeAnswers()];
for (const [name, find] of Object.entries(PROGRAMS)) {
  const command = await find();
  if (!command) throw new Error(`say where the SDK for ${name} is: see clients/conditions.ts`);
  answers.push(await answersOf(command));
}
const [own = [], ...others] = answers;
const names = ['Node', ...Object.keys(PROGRAMS)];
const column = (lines: readonly string[], n: number) => lines.map((line) => line[n]).join('');
const measured = conditions.map(({ op, value }, n) => {
  const flagwire = column(own, n);
  const differing = names.flatMap((name, sdk) => {
    const theirs = column(others[sdk] ?? [], n);
    return theirs === flagwire ? [] : [[name, theirs]];
  });
  return { op, value, Flagwire: flagwire, ...Object.fromEntries(differing) };
});
const lines = measured.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
writeFileSync(
  CONDITIONS_FILE,
  `{\n  "sdks": ${JSON.stringify(sdks)},\n  "texts": ${JSON.stringify(texts)},\n  "conditions": [\n${lines}\n  ]\n}\n`,
);
