// The page's query: the tab and what it shows. Unknown values are ignored, default values are left out. Pure.
import { MESSAGE_STATES, type MessageState } from '../../../shared/protocol/notify/notifyWords.ts';
import { queryText } from '../../../shared/ui/frame/pageQuery.ts';

export const NOTIFY_TABS = ['rules', 'messages', 'explain'] as const;
export type NotifyTab = (typeof NOTIFY_TABS)[number];

export const MESSAGE_PERIODS = ['24h', '7d', '30d'] as const;
export type MessagePeriod = (typeof MESSAGE_PERIODS)[number];

/** '' for all. */
export interface MessageFilter {
  readonly period: MessagePeriod | '';
  readonly state: MessageState | '';
  /** Ids. */
  readonly sender: string;
  readonly rule: string;
  readonly device: string;
}

export const NO_MESSAGE_FILTER: MessageFilter = { period: '', state: '', sender: '', rule: '', device: '' };

export interface NotifyView {
  readonly tab: NotifyTab;
  /** Filter of the delivery log. */
  readonly filter: MessageFilter;
  /** The event that is explained, or whose messages are shown. */
  readonly event: number | undefined;
}

const FIRST_NOTIFY_VIEW: NotifyView = { tab: 'rules', filter: NO_MESSAGE_FILTER, event: undefined };

export function viewOfQuery(query: string): NotifyView {
  const values = Object.fromEntries(new URLSearchParams(query));
  const { event = '', tab } = values;
  return {
    tab: NOTIFY_TABS.find((each) => each === tab) ?? FIRST_NOTIFY_VIEW.tab,
    filter: filterOf(values),
    event: isId(event) ? Number(event) : undefined,
  };
}

function filterOf(values: Readonly<Record<string, string>>): MessageFilter {
  const { period, state, sender = '', rule = '', device = '' } = values;
  return {
    period: MESSAGE_PERIODS.find((each) => each === period) ?? '',
    state: MESSAGE_STATES.find((each) => each === state) ?? '',
    sender: isId(sender) ? sender : '',
    rule: isId(rule) ? rule : '',
    device,
  };
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}

export function queryOfView({ tab, filter, event }: NotifyView): string {
  const chosen = Object.entries(filter).filter(([, value]) => value !== '');
  return queryText(
    new URLSearchParams({
      ...(tab !== FIRST_NOTIFY_VIEW.tab && { tab }),
      ...Object.fromEntries(chosen),
      ...(event !== undefined && { event: String(event) }),
    }),
  );
}

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;
const PERIOD_HOURS: Readonly<Record<MessagePeriod, number>> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

/** Start of the period; undefined for no limit. It is rounded to whole minutes, so that repeated calls ask the same query. */
export function startOfPeriod(period: MessagePeriod | '', nowMs: number): number | undefined {
  if (period === '') return undefined;
  return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - PERIOD_HOURS[period] * HOUR_MS;
}
