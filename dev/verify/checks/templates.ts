import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../../../infra/cacheDirectory.ts';
import { type Template, withApp } from '../../../infra/inProcess.ts';
import { ReleaseStack } from '../../../infra/release/releaseStack.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { pythonEnvironment } from '../../support/tools/python.ts';
import { cfnLint, lintTemplates } from './cfnLint.ts';
import { variants } from './variants.ts';

/** Runs cfn-lint on the templates of every stage and variant and of the release. Prints findings, and exits with 1 if there are any. */
async function main(): Promise<void> {
  const commands = await pythonEnvironment(cfnLint, (line) => console.error(`templates: ${line}`));
  const templates = templatesOfVariants();
  const passed = join(cacheDirectory, `cfn-lint-passed-${digestTemplates(templates)}`);
  if (existsSync(passed) && !process.env['CI']) return console.log('cfn-lint: no template has changed since it passed');
  const findings = await lintTemplates(join(commands, 'cfn-lint'), templates);
  for (const finding of findings) console.log(finding);
  const verdict = findings.length === 0 ? 'no findings' : `${findings.length} findings`;
  console.log(`cfn-lint: ${Object.keys(templates).length} templates, ${verdict}`);
  if (findings.length > 0) process.exitCode = 1;
  else writeFileSync(passed, '');
}

/** Stands for what is checked and by what. */
function digestTemplates(templates: Readonly<Record<string, Template>>): string {
  const checker = [cfnLint.requirements, join(import.meta.dirname, 'cfnLint.ts')].map((file) =>
    readFileSync(file, 'utf8'),
  );
  return createHash('sha256')
    .update(JSON.stringify([checker, templates]))
    .digest('hex')
    .slice(0, 12);
}

/** The templates of all variants, each by the first variant that has it, and the template of the release. */
function templatesOfVariants(): Record<string, Template> {
  const entries = Object.entries(variants).flatMap(([variant, config]) =>
    Object.entries(synthesizedTemplates(config)).map(([stack, template]) => [
      `${stack} (${variant})`.replaceAll(/[^\w()-]+/g, '-'),
      template,
    ]),
  );
  const byContent = new Map(entries.toReversed().map((entry) => [JSON.stringify(entry[1]), entry]));
  const release = withApp(
    (app) => new ReleaseStack(app),
    ({ assembly }) => assembly.stacks[0]?.template,
  );
  // Without bundles, nothing uses it.
  delete release.Parameters.AssetsBucket;
  return { ...Object.fromEntries([...byContent.values()].toReversed()), release };
}

await main();
