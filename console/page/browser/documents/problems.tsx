import type { Problem } from '../../../../shared/flags/problem.ts';
import { problemText } from '../../logic/problems.ts';

/** Problems of a document: first those that prevent saving, then warnings. */
export function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const isInvalid = problems.some(({ severity }) => severity === 'error');
  return (
    <div class={`notice ${isInvalid ? 'bad' : 'warning'}`}>
      <p>{isInvalid ? 'Fix this before saving:' : 'You can save this, but:'}</p>
      <ul class="bullets">
        {problems.map((problem) => (
          <li key={problem.path + problem.message}>{problemText(problem)}</li>
        ))}
      </ul>
    </div>
  );
}

/** How server-side SDKs evaluate new conditions differently (`addedSdkDifferences`). */
export function SdkDifferences({ differences }: { readonly differences: readonly string[] }) {
  return differences.map((difference) => (
    <p key={difference} class="notice">
      Server-side SDKs differ: {difference}
    </p>
  ));
}
