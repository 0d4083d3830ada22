import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { readTrackedLines } from '../codeReferences/git.ts';
import { LISTED_REFERENCES, type Reference, type ReferenceReport, ReferenceSearch } from '../codeReferences/search.ts';
import type { CommandMaker } from '../command.ts';
import type { Line } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, formatTable } from '../text.ts';

/** Maximum number of references of a flag or key in the text. */
const SHOWN_REFERENCES = 5;

/** What can be wrong with the references of flags. */
const FINDINGS = {
  'flag-without-references': 'A flag has no references',
  'archived-flag-with-references': 'An archived flag has references',
  'reference-without-flag': 'A call of an SDK has a key that no flag has',
} as const;
type FindingKind = keyof typeof FINDINGS;

/** Something wrong, and where it is in the code. */
interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** Undefined for a flag without references. */
  readonly reference?: Reference;
}

interface RefsOptions {
  readonly fail?: boolean;
}

/** `refs`: where code names flags, flags that no code names, and keys in code that no flag has. */
export function addRefsCommand(program: Command, commands: CommandMaker): void {
  commands.add<RefsOptions>(
    program,
    'refs [paths...]',
    'find flags in code that git tracks: references, flags without references, and calls of SDKs with unknown keys. Paths are files, folders or pathspecs such as ":!dist" (default: this folder)',
    findReferences,
    [new Option('--fail', 'exit with 1 if there is a finding')],
  );
}

async function findReferences(session: Session, given: readonly string[], { fail }: RefsOptions): Promise<void> {
  const all = await session.documents<Flag>('flag', 'with deleted');
  const search = new ReferenceSearch(all.filter(({ isDeleted }) => !isDeleted));
  const paths = given.filter((path) => !path.startsWith(':')).map(userPath);
  const pathspecs = given.filter((path) => path.startsWith(':'));
  readTrackedLines(paths.length > 0 ? paths : [userPath('.')], pathspecs, (...line) => search.search(...line));
  const report = search.report();
  const deleted = new Set(all.filter(({ isDeleted }) => isDeleted).map(({ key }) => key));
  const findings = [...findingsIn(report, deleted)];
  if (report.unlisted > 0) {
    session.note(
      `warning: ${counted(report.unlisted, 'reference is', 'references are')} not listed; the limit is ${LISTED_REFERENCES}. Name paths to search less`,
    );
  }
  session.result({ ...report, findings }, [
    ...tableOf(report),
    ...Object.keys(FINDINGS).flatMap((kind) => linesOf(kind as FindingKind, findings)),
  ]);
  if (fail && findings.length > 0) session.exitWithOne();
}

function* findingsIn({ flags, unknown }: ReferenceReport, deleted: ReadonlySet<string>): Generator<Finding> {
  for (const { key, isArchived, count, references } of flags) {
    if (!isArchived && count === 0) {
      yield { kind: 'flag-without-references', message: `flag "${key}" has no references` };
    }
    if (!isArchived || count === 0) continue;
    const found = { kind: 'archived-flag-with-references', message: `flag "${key}" is archived` } as const;
    if (references.length === 0) yield found;
    for (const reference of references) yield { ...found, reference };
  }
  for (const { key, ...reference } of unknown) {
    const message = deleted.has(key) ? `flag "${key}" was deleted` : `there is no flag "${key}"`;
    yield { kind: 'reference-without-flag', message, reference };
  }
}

function tableOf({ flags }: ReferenceReport): Line[] {
  const rows = flags
    .filter(({ count }) => count > 0)
    .map(({ key, count, references }) => [key, String(count), shownReferences(references, count)]);
  return formatTable(['flag', 'references', 'file and line'], rows, 'no flag has references');
}

function shownReferences(references: readonly Reference[], count: number): string[] {
  const shown = references.slice(0, SHOWN_REFERENCES);
  const rest = count - shown.length;
  return [...shown.map(formatReference), ...(rest > 0 ? [`and ${rest} more`] : [])];
}

/** The findings of a kind under a heading, one line for each flag or key. */
function linesOf(kind: FindingKind, findings: readonly Finding[]): string[] {
  const found = findings.filter((finding) => finding.kind === kind);
  if (found.length === 0) return [];
  const lines = [...Map.groupBy(found, ({ message }) => message)].map(([message, alike]) => {
    const references = alike.flatMap(({ reference }) => reference ?? []);
    return `  ${message}${references.length > 0 ? ` (${shownReferences(references, references.length).join(', ')})` : ''}`;
  });
  return [`${FINDINGS[kind]}:`, ...lines];
}

function formatReference({ file, line }: Reference): string {
  return `${file}:${line}`;
}
