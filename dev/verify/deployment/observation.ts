import type { Workspace } from '../conformance/workspace.ts';
import type { Access } from './access.ts';

/** An observation of a deployment. */
export interface Observation {
  readonly question: string;
  /**
   * Looks, in an environment that is only read unless a workspace is given.
   *
   * @throws when there is no answer; that is a finding too
   */
  look(access: Access, workspace: Workspace | undefined): Promise<Answer | undefined>;
}

/** The answer to an observation. */
export interface Answer {
  readonly answer: string;
  /** True if the answer is as promised. Absent without a promise. */
  readonly isPromised?: boolean;
}

/** A question with its answer. */
export type Finding = Answer & Pick<Observation, 'question'>;

/** Looks at one thing after another; those that need a workspace are left out where there is none. */
export async function observe(
  observations: readonly Observation[],
  access: Access,
  workspace: Workspace | undefined,
  progress: (question: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { question, look } of observations) {
    progress(question);
    try {
      const seen = await look(access, workspace);
      if (seen) findings.push({ question, ...seen });
    } catch (error) {
      findings.push({ question, answer: `failed: ${(error as Error).message}`, isPromised: false });
    }
  }
  return findings;
}
