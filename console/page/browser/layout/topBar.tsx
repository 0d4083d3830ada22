import { effect, signal } from '@preact/signals';
import { Badge } from '../../../ui/blocks.tsx';
import { Choice } from '../../../ui/field.tsx';
import { inEnvironment } from '../../logic/route.ts';
import { streamState } from '../state/live.ts';
import { go, route } from '../state/route.ts';
import { addEnvironment, environment, environments } from '../state/session.ts';

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

/** The environment, the state of the stream, and the theme. */
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
              { value: NEW, text: 'New environment …' },
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
          <Choice
            label="Light or dark"
            value={theme.value}
            options={THEMES.map((each) => ({ value: each, text: `${each} theme` }))}
            onChange={(chosen) => {
              theme.value = chosen;
            }}
          />
        </div>
      </div>
    </header>
  );
}
