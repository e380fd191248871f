// The words of messages that are not part of their templates.
import type { Locale } from '../../../../shared/protocol/locale.ts';

export interface MessageWords {
  /** Text of the button in a mail. */
  readonly openEvent: string;
  /** Alternative text of a picture in a mail. */
  readonly snapshot: string;
  readonly andMore: string;
}

export const MESSAGE_WORDS: Readonly<Record<Locale, MessageWords>> = {
  en: { openEvent: 'Open event', snapshot: 'Snapshot', andMore: 'and {{count}} more' },
  'zh-TW': { openEvent: '開啟事件', snapshot: '快照', andMore: '另有 {{count}} 筆' },
  jp: { openEvent: 'イベントを開く', snapshot: 'スナップショット', andMore: 'ほか {{count}} 件' },
};
