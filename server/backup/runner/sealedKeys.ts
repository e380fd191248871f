// The keys of backups, which the installation keeps sealed with each: the plan may have another one by now.
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import { keyFrom, type Sealing } from '../plan/backupPlans.ts';

/** '' for none. */
export function sealedFor(file: string, text: string, box: Pick<Sealing, 'seal'>): string {
  return text === '' ? '' : box.seal(text, contextOf(file));
}

/** Undefined: it isn't here, or doesn't open. */
export function sealedKeyOf(
  { file, encryption, sealedKey }: Pick<StoredBackup, 'file' | 'encryption' | 'sealedKey'>,
  box: Pick<Sealing, 'open'>,
): ArchiveKey | undefined {
  if (encryption === 'none') return { kind: 'none' };
  const text = sealedKey === '' ? undefined : box.open(sealedKey, contextOf(file));
  return text === undefined ? undefined : keyFrom(encryption, text);
}

function contextOf(file: string): string {
  return `backup ${file}`;
}

/** Why the typed text is no valid key. */
export type KeyRefusal = 'required' | 'bad-format' | 'wrong-key';

/** `text`: a typed passphrase or recovery key; '': `kept`, the installation's own. */
export function chosenKey(
  { encryption }: Pick<StoredBackup, 'encryption'>,
  text: string,
  kept: () => ArchiveKey | undefined,
): ArchiveKey | Exclude<KeyRefusal, 'wrong-key'> {
  if (encryption === 'none') return { kind: 'none' };
  if (text === '') return kept() ?? 'required';
  return keyFrom(encryption, text) ?? 'bad-format';
}
