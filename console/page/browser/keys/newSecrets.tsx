import type { IssuedSecret } from '../../../api.ts';
import { CopyButton } from '../../../ui/announcement.tsx';
import { DescriptionList } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface NewSecretsProps {
  readonly secrets: readonly IssuedSecret[];
  readonly onClose: () => void;
}

/** New keys, which are shown once. */
export function NewSecrets({ secrets, onClose }: NewSecretsProps) {
  return (
    <Dialog title={secrets.length === 1 ? 'New key' : 'New keys'} onClose={onClose} staysOnBack>
      <p>
        Copy what you need now. After you close this page, keys cannot be shown again: only their hashes are stored.
      </p>
      <DescriptionList
        class="secrets"
        items={secrets.map(({ name, type, value }) => [
          `${name} (${type})`,
          <>
            <code>{value}</code> <CopyButton text={value} what={`the ${type} key`} />
          </>,
        ])}
      />
      <footer class="form-foot">
        <Button text="Done" kind="primary" onClick={onClose} />
      </footer>
    </Dialog>
  );
}
