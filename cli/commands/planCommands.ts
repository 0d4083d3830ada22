import { type Command, Option } from 'commander';
import { quoteWord } from '../../shared/command/quoteWord.ts';
import { byKind, formatName } from '../../shared/flags/document.ts';
import { findNamed } from '../../shared/flags/findNamed.ts';
import { parsePlannedTime } from '../../shared/flags/timestamp.ts';
import { rolloutPlan } from '../../shared/plans/newPlan.ts';
import { isOpen, nextStep, type ReleasePlan } from '../../shared/plans/releasePlan.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { checkFiredGuard } from '../../shared/store/plans/guardCheck.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { type CommandMaker, changeOptions, repeatable } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import { noFlag, readSegmentNames, requireActive } from '../editDocuments.ts';
import { type Line, UsageError } from '../io.ts';
import { outcomeText, planJson, planText, stateText, targetName, targetText } from '../planText.ts';
import { GUARD_HELP, type GuardOptions, readGuardOptions, watchOption } from '../schedule.ts';
import type { Session } from '../session.ts';
import { formatTable } from '../text.ts';

interface PlanOptions extends GuardOptions {
  readonly variation: string;
  readonly rule?: string;
  readonly step: readonly string[];
}

/** `plan create|list|show|resume|skip|abort`: changes at given times. */
export function addPlanCommands(program: Command, commands: CommandMaker): void {
  const plan = program
    .command('plan')
    .description('changes at given times. Option --at of other commands plans a single change');

  commands.add<PlanOptions>(plan, 'create <flag>', 'increase the share of a variation in steps', createRollout, [
    new Option('--variation <variation>', 'variation whose share grows. Its users keep it').makeOptionMandatory(),
    new Option('--rule <rule>', 'rule in which it grows, by position or name (default: the default rule)'),
    repeatable(
      '--step <share@time>',
      'share of the users of the rule, and its time: 10%@now, 50%@+2h (or m, d), 100%@2030-01-31T09:00+01:00',
    ),
    repeatable('--guard <alarm>', GUARD_HELP),
    new Option('--webhook', 'print a URL and a secret. A signed request to the URL undoes and pauses the plan'),
    watchOption(),
    ...changeOptions(),
  ]);

  commands.add<{ all?: boolean }>(
    plan,
    'list',
    'list the open plans',
    async (session, _, { all }) => {
      const { id } = await session.environment();
      const plans = await session.store.plans.list(id, all ? 'all' : 'open');
      const nameOf = plans.some(({ kind }) => kind === 'segment') ? await readSegmentNames(session) : String;
      const rows = plans.map((each) => [
        ...(session.isVerbose ? [each.id] : []),
        targetText(each, nameOf),
        stateText(each.state, session),
        nextText(session, each),
      ]);
      const none = all ? 'there are no plans' : 'there are no open plans';
      const head = [...(session.isVerbose ? ['id'] : []), 'plan of', 'state', 'next step'];
      session.result(plans.map(planJson), formatTable(head, rows, none));
    },
    [new Option('--all', 'include plans that ended in the last 30 days')],
  );

  commands.add(plan, 'show <plan>', 'show a plan, by its id or its flag or segment', async (session, [named = '']) => {
    const found = await findPlan(session, named);
    const nameOf = await readSegmentNames(session);
    session.result(planJson(found), planLines(session, found, nameOf));
  });

  const operations = [
    ['resume', 'continue a paused plan. A step whose time has passed follows within minutes', 'continues'],
    ['skip', 'skip the next step of a plan', 'skips a step'],
    ['abort', 'end a plan. The steps that were applied stay', 'is aborted'],
  ] as const;
  commands.addGlobal(
    program,
    'alarm <name> <state>',
    `set an alarm of ${ownCommand('start')} to OK or ALARM, to try guards. It does not change alarms on AWS`,
    async (session, [name = '', state = '']) => {
      if (!session.setAlarm) throw new UsageError(`alarm works only with ${ownCommand('start')}; unset FLAGS_TABLE`);
      if (state !== 'OK' && state !== 'ALARM') throw new UsageError(`"${state}" is not a state; write OK or ALARM`);
      await session.setAlarm(name, state);
      session.result({ alarm: name, state }, `alarm ${name} is ${state}`);
    },
  );

  for (const [name, description, done] of operations) {
    commands.add(
      plan,
      `${name} <plan>`,
      `${description}. Name it by its id, or its flag or segment`,
      async (session, [named = '']) => {
        const { id: envId } = await session.environmentToChange();
        const found = await findPlan(session, named);
        const text = planText(session, found, await readSegmentNames(session));
        if (name === 'resume') await checkFiredGuard(session.readAlarms, found);
        const changed = await session.store.plans[name](envId, found.id);
        if (!changed) return session.result({ plan: null }, `no change: the ${text} is not paused${session.where()}`);
        const next = isOpen(changed) ? `; next: ${nextText(session, changed)}` : '';
        session.result({ plan: planJson(changed) }, `✓ the ${text} ${done}${session.where()}${next}`);
      },
      confirmOptions(),
    );
  }
}

async function createRollout(
  session: Session,
  [key = '']: readonly string[],
  { variation, rule, step: texts, ...guarding }: PlanOptions,
): Promise<void> {
  const now = session.store.effects.now();
  if (texts.length === 0) throw new UsageError('add a --step for each share, such as --step 10%@now --step 100%@+1d');
  const steps = texts.map((text) => parseStep(text, now));
  const guards = await readGuardOptions(session, guarding);
  const { id: envId } = await session.environmentToChange();
  // Before the plan, so that no plan is created if the key cannot be read.
  const secrets = guarding.webhook ? await session.store.plans.webhookSecrets(envId) : undefined;
  let isOff = false;
  const [created] = await session.store.plans.create(envId, now, (all) => {
    const flag = byKind(all).flags.find((each) => each.key === key);
    if (!flag || flag.isDeleted) throw noFlag(key, flag);
    isOff = !requireActive(flag).isEnabled;
    return [{ ...rolloutPlan(key, variation, steps, rule), ...guards }];
  });
  if (!created)
    return session.result({ plan: null }, `no change: ${key} serves ${variation} like this${session.where()}`);
  const isDue = created.steps.some(({ at }) => at <= now);
  const plan = (isDue && (await session.store.plans.advance(envId, created.id))) || created;
  const webhook = secrets && { path: `/guards/${envId}/${plan.id}`, secret: secrets(plan.id) };
  session.result({ plan: planJson(plan), ...(webhook && { webhook }) }, [
    `✓ created a plan${session.where()}`,
    ...planLines(session, plan, String),
    ...(webhook
      ? [`webhook: ${session.webhookUrl ?? '<WebhookUri>'}${webhook.path}`, `secret: ${webhook.secret}`]
      : []),
  ]);
  if (webhook) session.note('store the secret now: it is not shown again');
  if (webhook && session.webhookUrl === undefined) {
    session.note('WebhookUri is an output of the stack that has the flags table');
  }
  if (isOff)
    session.note(
      `flag "${key}" is off: users get the shares once it is on: ${session.typable(`on ${quoteWord(key)}`)}`,
    );
}

/** A share in [0,1] and its time. */
function parseStep(text: string, now: number): { readonly at: number; readonly share: number } {
  const [, percent, time = ''] = /^(\d+(?:[.]\d{1,2})?)%?@(.+)$/.exec(text) ?? [];
  if (percent === undefined || Number(percent) > 100) {
    throw new UsageError(`"${text}" is not a step; write a share of 0 to 100 % and a time, such as 10%@now or 50%@+2h`);
  }
  return { at: parsePlannedTime(time, now), share: Number(percent) / 100 };
}

/** A plan by its id, or of a flag or segment: the open one, or else the newest that ended. @throws {NotFound} @throws {InvalidInput} for an ambiguous name */
async function findPlan(session: Session, named: string): Promise<ReleasePlan> {
  const { id: envId } = await session.environment();
  const nameOf = await readSegmentNames(session);
  const all = await session.store.plans.list(envId, 'all');
  const targets = Map.groupBy(all, ({ kind, documentId }) => formatName({ kind, id: documentId }));
  const latest = [...targets.values()].flatMap((plans) => plans.find(isOpen) ?? plans.at(-1) ?? []);
  const segmentName = ({ kind, documentId }: ReleasePlan) => (kind === 'segment' ? nameOf(documentId) : undefined);
  const plan =
    all.find(({ id }) => id === named) ??
    findNamed(latest, named, [({ documentId }) => documentId, segmentName], 'flags or segments with plans');
  if (plan) return plan;
  throw new NotFound(
    `there is no plan "${named}", and no plan of such a flag or segment; \`plan list --all\` shows all plans`,
  );
}

function planLines(session: Session, plan: ReleasePlan, segmentName: (id: string) => string): Line[] {
  const { by, createdAt, command, state, steps, webhook } = plan;
  const named = session.isVerbose ? plan.id : targetName(plan, segmentName);
  const guards = [...(plan.guards ?? []), ...(webhook ? ['webhook'] : [])];
  const rows = steps.map(({ at, text, outcome }, n) => [
    String(n + 1),
    session.time(at),
    text,
    outcome.kind === 'waiting' && !isOpen(plan) ? 'not applied' : outcomeText(outcome, session),
  ]);
  return [
    `${planText(session, plan, segmentName)}: ${stateText(state, session)}`,
    `created by ${session.plain(by)}, ${session.time(createdAt)}: ${command}`,
    ...steps.flatMap(({ added }, n) =>
      added ? [`step ${n + 1} added by ${session.plain(added.by)}: ${added.command}`] : [],
    ),
    ...(guards.length > 0 ? [`guards: ${guards.join(', ')}`] : []),
    ...formatTable(['step', 'time', 'change', 'outcome'], rows, 'there are no steps', [], true),
    ...(state.kind === 'paused' ? [`to continue: ${session.typable(`plan resume ${named}`)}`] : []),
    ...(isOpen(plan) ? [`to abort: ${session.typable(`plan abort ${named}`)}`] : []),
  ];
}

function nextText({ time }: Session, plan: ReleasePlan): string {
  const next = nextStep(plan);
  const step = plan.steps[next];
  if (!step || !isOpen(plan)) return 'none';
  return `${next + 1} of ${plan.steps.length}, ${time(step.at)}`;
}
