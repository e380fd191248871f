import type { Sender } from '../../../../shared/protocol/api/notify/senders.ts';

export type SenderState = 'off' | 'failing' | 'working' | 'unused';

/** What a sender's last attempts say of it. Pure. */
export function senderStateOf(sender: Pick<Sender, 'enabled' | 'failures' | 'lastSentAtMs'>): SenderState {
  if (!sender.enabled) return 'off';
  if (sender.failures > 0) return 'failing';
  return sender.lastSentAtMs === 0 ? 'unused' : 'working';
}
