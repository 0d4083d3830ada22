import packageJson from '../../package.json' with { type: 'json' };
import type { Reference } from './search.ts';

/** What can be wrong with the references of flags. */
export const FINDINGS = {
  'flag-without-references': 'A flag has no references',
  'archived-flag-with-references': 'An archived flag has references',
  'reference-without-flag': 'A call of an SDK has a key that no flag has',
} as const;
export type FindingKind = keyof typeof FINDINGS;

/** Something wrong, and where it is in the code. */
export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** Undefined for a flag without references. */
  readonly reference?: Reference;
}

/**
 * Findings as a log of SARIF 2.1.0. GitHub refuses a log with a result without location, so flags without references are
 * notifications of the tool.
 */
export function sarifLog(findings: readonly Finding[]): object {
  const rules = Object.entries(FINDINGS).map(([id, text]) => ({ id, shortDescription: { text } }));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Flagwire', version: packageJson.version, rules } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: findings.flatMap(({ kind, message, reference }) =>
              reference ? [] : [{ associatedRule: { id: kind }, level: 'warning', message: { text: message } }],
            ),
          },
        ],
        results: findings.flatMap(({ kind, message, reference }) =>
          reference
            ? [{ ruleId: kind, level: 'warning', message: { text: message }, locations: [locationOf(reference)] }]
            : [],
        ),
      },
    ],
  };
}

function locationOf({ file, line }: Reference): object {
  const uri = file.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: line } } };
}
