import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { AssetManifestArtifact, type CloudAssembly } from 'aws-cdk-lib/cx-api';
import { describeConfig } from './config/describe.ts';
import type { StageFile } from './config/stageFile.ts';
import { cdkContext, repositoryRoot } from './repository.ts';
import { addStacks } from './stacks/addStacks.ts';

/**
 * Synthesizes the stacks into cdk.out like `cdk synth`, with bundles, and prints the result. It needs no credentials and no network. `cdk
 * deploy --app cdk.out` deploys it.
 *
 * @param file the settings of the stage
 */
export function synthesize(file: StageFile): void {
  const config = file.config();
  console.error(describeConfig(config, file.sources));

  const outdir = join(repositoryRoot, 'cdk.out');
  rmSync(outdir, { recursive: true, force: true });
  const app = new App({ analyticsReporting: false, context: cdkContext(), outdir });
  addStacks(app, config, file.read());
  report(app.synth());
}

function report(assembly: CloudAssembly): void {
  for (const stack of assembly.stacks) {
    const resources = Object.keys(stack.template.Resources).length;
    console.log(`${stack.stackName}: ${resources} resources (${relative(repositoryRoot, stack.templateFullPath)})`);
    const manifests = stack.dependencies.filter((artifact) => AssetManifestArtifact.isAssetManifestArtifact(artifact));
    for (const { contents } of manifests) {
      for (const { displayName, source } of Object.values(contents.files ?? {})) {
        if (source.path === undefined || source.path.endsWith('.template.json')) continue;
        console.log(`  ${kilobytes(join(assembly.directory, source.path))}  ${displayName?.replace(/^Default\//, '')}`);
      }
    }
  }
}

/** The size of a file, or of all files under a directory, before zipping. */
function kilobytes(path: string): string {
  const files = statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((file) => join(file.parentPath, file.name));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return `${(bytes / 1024).toFixed(0).padStart(5)} KB`;
}
