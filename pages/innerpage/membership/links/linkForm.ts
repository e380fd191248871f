// What is typed to make a link, and what is wrong with it. Texts are given by the caller, in the user's language.
import type { LinkKind, NewLink } from '../../../../shared/protocol/api/links.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface LinkDraft {
  readonly deviceid: string;
  /** Channel numbers as texts, as the boxes name them. */
  readonly channels: readonly string[];
  readonly kinds: readonly LinkKind[];
  /** Null: without an end. */
  readonly untilMs: number | null;
  readonly note: string;
}

export interface LinkTexts {
  readonly noDevice: string;
  readonly noChannel: string;
  readonly noKind: string;
  readonly alone: string;
  readonly badTimestamp: string;
  readonly past: string;
}

const DAY_MS = 86_400_000;
/** Long enough for what links are mostly made for, and not forgotten for years. */
const FIRST_DAYS = 7;

export function firstDraft(nowMs: number): LinkDraft {
  // To the minute, as the field shows it.
  const untilMs = Math.floor((nowMs + FIRST_DAYS * DAY_MS) / 60_000) * 60_000;
  return { deviceid: '', channels: [], kinds: ['live'], untilMs, note: '' };
}

export function checkDraft(draft: LinkDraft, texts: LinkTexts, nowMs: number): Problems<LinkDraft> {
  const { deviceid, channels, kinds, untilMs } = draft;
  return {
    deviceid: deviceid === '' ? texts.noDevice : undefined,
    channels: deviceid !== '' && channels.length === 0 ? texts.noChannel : undefined,
    kinds: problemOfKinds(kinds, texts),
    untilMs: problemOfEnd(untilMs, texts, nowMs),
  };
}

function problemOfKinds(kinds: readonly LinkKind[], texts: LinkTexts): string | undefined {
  if (kinds.length === 0) return texts.noKind;
  // Nobody could do either without a page to do it on.
  return kinds.some((kind) => kind === 'live' || kind === 'playback' || kind === 'remote') ? undefined : texts.alone;
}

function problemOfEnd(untilMs: number | null, texts: LinkTexts, nowMs: number): string | undefined {
  if (untilMs === null) return undefined;
  if (Number.isNaN(untilMs)) return texts.badTimestamp;
  return untilMs <= nowMs ? texts.past : undefined;
}

export function linkOfDraft({ channels, untilMs, ...rest }: LinkDraft): NewLink {
  return { ...rest, channels: channels.map(Number), untilMs: untilMs ?? 0 };
}
