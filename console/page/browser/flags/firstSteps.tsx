import type { ComponentChildren } from 'preact';
import { EmptyState } from '../../../ui/blocks.tsx';
import { DialogButton } from '../../../ui/button.tsx';
import { linkTo } from '../state/route.ts';
import { may, useEnvironment } from '../state/session.ts';
import { NewFlagDialog } from './newFlagDialog.tsx';

interface FirstStepsProps {
  /** The key of a flag, if there is one. */
  readonly flagKey?: string | undefined;
  readonly isConnected?: boolean;
  /** The last step. */
  readonly children?: ComponentChildren;
}

const SAMPLE = {
  name: 'Welcome banner',
  description: 'A sample: turn it on, and see every connected SDK change.',
  tags: ['sample'],
};

/** The first steps in an environment without flags, or without an SDK. */
export function FirstSteps({ flagKey, isConnected = false, children }: FirstStepsProps) {
  const { id, name } = useEnvironment();
  const disabled = !may('editor', id);
  return (
    <EmptyState title="Three steps to your first flag">
      <ol class="steps bullets">
        <li class="done">
          <b>Environment.</b> You are in <b>{name}</b>.
        </li>
        {flagKey ? (
          <li class="done">
            <b>Flag.</b> For example <a href={linkTo('flags', flagKey)}>{flagKey}</a>.
          </li>
        ) : (
          <li>
            <b>Flag.</b> It has a key that your code uses, and two or more variations. Each user gets one. New flags are
            off.
            <div class="actions">
              <DialogButton
                text="Create sample flag"
                kind="primary"
                disabled={disabled}
                dialog={(close) => <NewFlagDialog sample={SAMPLE} onClose={close} />}
              />
              <DialogButton
                text="Create your own"
                disabled={disabled}
                dialog={(close) => <NewFlagDialog onClose={close} />}
              />
            </div>
          </li>
        )}
        <li class={isConnected ? 'done' : ''}>
          <b>SDK.</b> {isConnected && 'It is connected.'}
          {!isConnected && flagKey && 'Run this snippet. This page shows when it connects.'}
          {!flagKey && (
            <>
              <a href={linkTo('keys')}>Keys</a> has a snippet for each language.
            </>
          )}
        </li>
      </ol>
      {children}
    </EmptyState>
  );
}
