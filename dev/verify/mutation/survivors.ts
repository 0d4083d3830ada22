import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Location, MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { MutationTestingPlanReadyEvent, Reporter } from '@stryker-mutator/api/report';

/** Stryker's reporter that prints each mutant no test noticed as soon as that is known, so that tests can be written meanwhile. */
class SurvivorsReporter implements Reporter {
  /** The sources as they were when the mutants were made. */
  readonly #sources = new Map<string, string>();

  onMutationTestingPlanReady({ mutantPlans }: MutationTestingPlanReadyEvent): void {
    for (const fileName of new Set(mutantPlans.map(({ mutant }) => mutant.fileName))) {
      this.#sources.set(fileName, readFileSync(fileName, 'utf8'));
    }
  }

  onMutantTested(mutant: Readonly<MutantResult>): void {
    const hasSurvived = mutant.status === 'Survived' || mutant.status === 'NoCoverage';
    if (hasSurvived) console.log(describeMutant(mutant, this.#sources.get(resolve(mutant.fileName)) ?? ''));
  }
}

/** A mutant on a line or few: where it is, what was there and what took its place. */
export function describeMutant(
  { fileName, location, replacement, status }: Readonly<MutantResult>,
  source: string,
): string {
  return `${status}: ${relative(process.cwd(), fileName)}:${location.start.line}\n- ${textAt(source, location)}\n+ ${replacement}`;
}

function textAt(source: string, { start, end }: Location): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, n) => line.slice(n === 0 ? start.column - 1 : 0, n === last ? end.column - 1 : undefined))
    .join('\n');
}

/** Stryker's plugin, by the name that the settings give it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorsReporter)];
