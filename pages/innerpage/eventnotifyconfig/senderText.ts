import { senderKindText } from '../../../shared/i18n/notifyWordText.ts';
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';

/** `Control room (Email)`; the kind alone where the name isn't known. */
export function senderText(name: string, kind: SenderKind): string {
  return name === '' ? senderKindText(kind) : `${name} (${senderKindText(kind)})`;
}
