// Escapes values so that they keep their meaning: a device's name is a name in a mail's header, a JSON text and a log alike.
import type { SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { cutSms } from '../../../shared/protocol/notify/smsSegments.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';

const MAX_SUBJECT = 250;
const MAX_VALUE = 4_000;
/**
 * Characters of a message whose variables are filled in; 8,000 in a log, 2,000 in a browser's notification. The text is cut; a webhook's
 * message is canceled.
 */
export const MESSAGE_TEXT_LIMIT: Limit = { name: 'notify.message.text', max: 100_000 };
/** Segments of a text message. The text is cut. */
export const SMS_SEGMENTS_LIMIT: Limit = { name: 'notify.sms.segments', max: 10 };
/** Sizes that a log server accepts as one message, and a push service as one notification beside its encryption. */
const MAX_BODY: Readonly<Record<Exclude<SenderKind, 'sms'>, number>> = {
  email: MESSAGE_TEXT_LIMIT.max,
  webhook: MESSAGE_TEXT_LIMIT.max,
  syslog: 8_000,
  push: 2_000,
};

/** Removes control characters, line breaks included, and characters that turn the direction of the text after them. */
export function oneLine(text: string): string {
  return wholeCharacters(text)
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** Line breaks stay; the tab is the only other control character that stays. */
function severalLines(text: string): string {
  return wholeCharacters(text)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** Half a character is no text: UTF-8 has no bytes for it, and some JSON parsers refuse the whole text. */
function wholeCharacters(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** Escapes for HTML, in texts and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a value for a body. */
export function valueInBody(kind: SenderKind, value: string): string {
  const cut = cutText(value, MAX_VALUE);
  switch (kind) {
    case 'webhook':
      return JSON.stringify(severalLines(cut)).slice(1, -1);
    case 'syslog':
      return oneLine(cut);
    case 'email':
    case 'sms':
    case 'push':
      return severalLines(cut);
  }
}

export function valueInSubject(value: string): string {
  return oneLine(cutText(value, MAX_SUBJECT));
}

export function wholeSubject(text: string): string {
  return cutText(oneLine(text), MAX_SUBJECT);
}

/** Cuts the text to the kind's maximum. Undefined where a cut would break the JSON. */
export function wholeBody(kind: SenderKind, text: string, onLimit: OnLimit): string | undefined {
  switch (kind) {
    case 'webhook':
      if (text.length <= MAX_BODY.webhook) return text;
      onLimit(MESSAGE_TEXT_LIMIT);
      return undefined;
    case 'sms':
      return cutToSegments(severalLines(text).trim(), onLimit);
    case 'syslog':
      return cutToCharacters(oneLine(text), MAX_BODY.syslog, onLimit);
    case 'email':
    case 'push':
      return cutToCharacters(severalLines(text).trim(), MAX_BODY[kind], onLimit);
  }
}

function cutToSegments(text: string, onLimit: OnLimit): string {
  const cut = cutSms(text, SMS_SEGMENTS_LIMIT.max);
  if (cut !== text) onLimit(SMS_SEGMENTS_LIMIT);
  return cut;
}

function cutToCharacters(text: string, max: number, onLimit: OnLimit): string {
  if (text.length > max) onLimit(MESSAGE_TEXT_LIMIT);
  return cutText(text, max);
}

/** Characters beyond UTF-16's first plane are not cut in half. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end);
}
