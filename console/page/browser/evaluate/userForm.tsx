import { signal } from '@preact/signals';
import { parseUser, type User } from '../../../../shared/flags/user.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { liveEntries } from '../state/live.ts';

interface TestUser {
  readonly keyId: string;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** The user of this page. Other views do not reset it. */
export const testUser = signal<TestUser>({ keyId: 'u1', name: '', attributes: [] });

/** The user as an SDK sends it. Undefined if the user key is blank. */
export function userOf({ keyId, name, attributes }: TestUser): User | undefined {
  return parseUser({
    keyId: keyId.trim(),
    ...(name === '' ? {} : { name }),
    customizedProperties: attributes
      .filter(([attribute]) => attribute !== '')
      .map(([attribute, value]) => ({ name: attribute, value })),
  });
}

/** Maximum number of suggested users, from recent data-syncs. */
const MAX_SUGGESTIONS = 8;

/** The form for {@link testUser}. */
export function UserForm() {
  const { keyId, name, attributes } = testUser.value;
  const change = (changed: Partial<TestUser>) => {
    testUser.value = { ...testUser.value, ...changed };
  };
  const recent = liveEntries.value.flatMap((each) => (each.type === 'sync' && each.user !== '' ? [each.user] : []));
  const suggestions = [...new Set(recent)].slice(0, MAX_SUGGESTIONS);
  const changeAttribute = (index: number, pair: readonly [string, string]) =>
    change({ attributes: attributes.with(index, pair) });
  return (
    <div class="user-form">
      <div class="two">
        <TextField label="User key (keyId)" isCode value={keyId} onInput={(text) => change({ keyId: text })} />
        <TextField label="Name" value={name} onInput={(text) => change({ name: text })} />
      </div>
      {suggestions.length > 0 && (
        <p class="hint">
          Connected recently:{' '}
          {suggestions.map((each) => (
            <button type="button" key={each} class="tag" onClick={() => change({ keyId: each })}>
              {each}
            </button>
          ))}
        </p>
      )}
      <p class="label">Attributes</p>
      {attributes.map(([attribute, value], index) => (
        <fieldset class="attribute" key={index}>
          <legend class="hidden">Attribute {index + 1}</legend>
          <input
            aria-label={`Name of attribute ${index + 1}`}
            class="code"
            placeholder="attribute"
            list="attributes"
            value={attribute}
            onInput={(event) => changeAttribute(index, [event.currentTarget.value, value])}
          />
          <input
            aria-label={`Value of attribute ${index + 1}`}
            class="code"
            placeholder="value"
            value={value}
            onInput={(event) => changeAttribute(index, [attribute, event.currentTarget.value])}
          />
          <Button
            text="✕"
            kind="quiet"
            label={`Remove attribute ${index + 1}`}
            onClick={() => change({ attributes: attributes.toSpliced(index, 1) })}
          />
        </fieldset>
      ))}
      <Button text="Add attribute" kind="small" onClick={() => change({ attributes: [...attributes, ['', '']] })} />
    </div>
  );
}
