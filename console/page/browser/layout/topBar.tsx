import { effect, signal } from '@preact/signals';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/blocks.tsx';
import { Choice } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { inEnvironment } from '../../logic/route.ts';
import { streamState } from '../state/live.ts';
import { go, route } from '../state/route.ts';
import { addEnvironment, context, environment, environments, may, plain, roleIn } from '../state/session.ts';
import { SignOutButton } from './signIn.tsx';

/** `system`: the setting of the operating system. */
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const kept = localStorage.getItem('theme');
const theme = signal<Theme>(THEMES.find((each) => each === kept) ?? 'system');

effect(() => {
  const chosen = theme.value;
  localStorage.setItem('theme', chosen);
  document.documentElement.style.colorScheme = chosen === 'system' ? 'light dark' : chosen;
});

const NEW = 'new';
const STATES = {
  connecting: 'connecting …',
  open: 'up to date',
  broken: 'not connected: trying again',
  refused: 'link expired',
} as const;

/** The environment, the state of the stream, and the account. */
export function TopBar() {
  const all = environments.value ?? [];
  const state = streamState.value;
  return (
    <header class={environment.value?.isProduction ? 'top production' : 'top'}>
      <a class="brand" href="#/" aria-label="Flagwire">
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <path
            d="M3 1v14M3 2h9l-2 3 2 3H3"
            fill="none"
            stroke="currentColor"
            stroke-width="1.8"
            stroke-linejoin="round"
          />
        </svg>
        <span class="brand-name">Flagwire</span>
      </a>
      <div class="top-main">
        {all.length > 0 && (
          <Choice
            label="Environment"
            value={environment.value?.id ?? ''}
            options={[
              ...(environment.value ? [] : [{ value: '', text: 'Choose …' }]),
              ...all.map(({ id, name }) => ({ value: id, text: name })),
              ...(may('administrator') ? [{ value: NEW, text: 'New environment …' }] : []),
            ]}
            onChange={(id) => (id === NEW ? addEnvironment() : go(inEnvironment(route.value, id)))}
          />
        )}
        {environment.value?.isProduction && <Badge kind="warning">production</Badge>}
        <div class="top-end">
          {environment.value && (
            <p class={`stream ${state}`} role="status">
              <span>{STATES[state]}</span>
            </p>
          )}
          {context.value && <Account by={plain(context.value.by)} />}
        </div>
      </div>
    </header>
  );
}

/** A menu with the operator's name and role, the theme, and the way out. */
function Account({ by }: { readonly by: string }) {
  const role = roleIn(environment.value?.id);
  const face = (
    <>
      <Avatar by={by} />
      <span class="person">{by}</span>
    </>
  );
  return (
    <Menu text={face}>
      <p class="label">{by}</p>
      {role && <p class="hint">{role === 'editor' ? `editor of ${environment.value?.name}` : role}</p>}
      <Choice
        label="Light or dark"
        value={theme.value}
        options={THEMES.map((each) => ({ value: each, text: `${each} theme` }))}
        onChange={(chosen) => {
          theme.value = chosen;
        }}
      />
      {role && <SignOutButton />}
    </Menu>
  );
}
