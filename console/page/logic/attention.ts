import { referencedSegments } from '../../../shared/evaluation/flag.ts';
import type { InvalidCondition } from '../../../shared/evaluation/invalidCondition.ts';
import { compileSnapshot } from '../../../shared/evaluation/snapshot.ts';
import { byKind } from '../../../shared/flags/document.ts';
import { formatProblem } from '../../../shared/flags/problem.ts';
import type { EnvironmentContent } from '../../api.ts';
import type { Attention } from '../../attention.ts';
import { placeText } from './problems.ts';
import type { View } from './route.ts';

/** A problem or a failed check, with a link. */
export interface AttentionLine {
  /** `unread`: a failed check. `planned`: a scheduled change. */
  readonly kind: 'problem' | 'unread' | 'planned';
  readonly text: string;
  /** The effect or the next step, if the text does not name it. */
  readonly detail?: string;
  /** A view, or a page elsewhere. */
  readonly at?: { readonly view: View; readonly id?: string } | { readonly url: string };
  /** Start in unix milliseconds, if known. */
  readonly since?: number;
}

/** The answer of the server, or its failure. Undefined before the answer. */
type AttentionAnswer = Attention | { readonly failure: string } | undefined;

const DELETED_SEGMENT =
  'Its users still match. Undo its deletion in the history, or remove it from the rules of the flag.';

/** Problems of the flags and segments of an environment. */
export function documentLines({ documents, unreadable }: EnvironmentContent): AttentionLine[] {
  const { flags, segments } = byKind(documents);
  const used = flags.filter(({ isArchived }) => !isArchived);
  // Rules are compiled only for flags that are on. Problems of other flags would be found too late.
  const on = flags.map((flag) => ({ ...flag, isEnabled: true }));
  const { invalidConditions } = compileSnapshot({ envId: '', version: 0, flags: on, segments });
  const archived = new Set(segments.filter(({ isArchived }) => isArchived).map(({ id }) => id));
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const references = used.flatMap((flag) =>
    [...referencedSegments(flag)].flatMap((id): AttentionLine[] => {
      const line = (what: string) => problem(`Flag ${flag.key} refers to ${what}`, { view: 'flags', id: flag.key });
      const segment = byId.get(id);
      if (!segment) return [line(`a segment that does not exist: ${id}`)];
      if (segment.isDeleted) return [{ ...line(`a deleted segment: ${segment.name}`), detail: DELETED_SEGMENT }];
      return segment.isArchived ? [line(`an archived segment: ${segment.name}`)] : [];
    }),
  );
  // The line of the flag already names a missing segment.
  const isAboutReference = ({ message }: InvalidCondition) =>
    message.startsWith('refers to segments that do not exist');
  return [
    ...unreadable.map(({ kind, id, problems }) => ({
      ...problem(`The ${kind} ${id} cannot be read, so no SDK gets it`),
      detail: problems.map(formatProblem).join('; '),
    })),
    ...invalidConditions
      .filter((each) => each.path === '' || (!archived.has(each.id) && !isAboutReference(each)))
      .map(({ kind, id, path, message }) => {
        const name = kind === 'flag' ? `Flag ${id}` : `Segment ${byId.get(id)?.name ?? id}`;
        const place = path === '' ? '' : `, ${placeText(path)}`;
        return problem(`${name}${place} ${message}`, { view: kind === 'flag' ? 'flags' : 'segments', id });
      }),
    ...references,
  ];
}

/** Problems of the deployment, and failed checks. */
export function deploymentLines(asked: AttentionAnswer, versionWarning?: string): AttentionLine[] {
  const ofVersion = versionWarning === undefined ? [] : [problem(versionWarning)];
  if (!asked) return ofVersion;
  if ('failure' in asked) return [...ofVersion, unread(`CloudWatch alarms were not checked: ${asked.failure}`)];
  return [...ofVersion, ...alarmLines(asked.alarms)];
}

function alarmLines(alarms: Attention['alarms']): AttentionLine[] {
  if (alarms.kind === 'absent') return [];
  if (alarms.kind === 'unread') return [unread(`CloudWatch alarms were not checked: ${alarms.reason}`)];
  const { total, firing } = alarms.value;
  if (total === 0)
    return [{ ...unread('This deployment has no CloudWatch alarms.'), detail: 'The setting “alarms” creates them.' }];
  return firing.map(({ name, meaning, url, since }) => ({
    ...problem(`Alarm ${name}`, { url }),
    detail: meaning,
    ...(since === undefined ? {} : { since }),
  }));
}

function problem(text: string, at?: AttentionLine['at']): AttentionLine {
  return { kind: 'problem', text, ...(at ? { at } : {}) };
}

function unread(text: string): AttentionLine {
  return { kind: 'unread', text };
}
