// What a sender must be like to be stored, or tested.
import type { SenderContent } from '../../../shared/protocol/api/notify/senders.ts';
import type { StoredSender } from '../../store/notify/notifySenders.ts';
import { movesSecret, sendsSecret } from './secretMoves.ts';
import { type FieldFaults, faultsOfSettings } from './settingFaults.ts';

/** `known`: as it is stored; undefined for a new one. */
export function faultsOfSender(content: SenderContent, known: StoredSender | undefined): FieldFaults {
  const settings = faultsOfSettings(content);
  return {
    ...(content.name === '' ? { name: 'required' as const } : {}),
    // Rules have chosen templates of its kind.
    ...(known !== undefined && known.kind !== content.kind ? { kind: 'not-allowed' as const } : {}),
    ...settings,
    ...(Object.keys(settings).length === 0 ? faultsOfSecret(content, known) : {}),
  };
}

function faultsOfSecret(content: SenderContent, known: StoredSender | undefined): FieldFaults {
  const { secret, settings, kind } = content;
  const keepsSecret = secret === undefined && known !== undefined && known.sealedSecret !== '';
  if (keepsSecret && movesSecret(known, content)) return { secret: 'required' };
  const needsSecret = (kind === 'email' && settings.username !== '') || sendsSecret(content);
  // One that is turned off sends nothing: it can wait for its secret, as one that was imported from a backup does.
  return content.enabled && needsSecret && !keepsSecret && (secret ?? '') === '' ? { secret: 'required' } : {};
}

export function tidySender<Content extends Pick<SenderContent, 'name'>>(content: Content): Content {
  return { ...content, name: content.name.trim() };
}
